package dev.limiter.example;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** The animals and the ticket office. */
@ApplicationScoped
class Zoo {

    private static final List<Animal> ANIMALS = List.of(
            new Animal("Ada", "penguin"),
            new Animal("Bruno", "brown bear"),
            new Animal("Carla", "red panda"),
            new Animal("Dmitri", "sloth"));

    private final AtomicLong ticketsSold = new AtomicLong();

    List<Animal> animals() {
        return ANIMALS;
    }

    /** A sentence about each animal that the question names; about all if it names none. */
    String tellOf(String question) {
        List<Animal> named = ANIMALS.stream()
                .filter(animal -> question.contains(animal.name()))
                .toList();
        return (named.isEmpty() ? ANIMALS : named)
                .stream()
                        .map(animal -> animal.name() + " is a " + animal.species() + ".")
                        .collect(Collectors.joining(" "));
    }

    Ticket sell(String show, String buyer) {
        return new Ticket(ticketsSold.incrementAndGet(), show, buyer);
    }
}
