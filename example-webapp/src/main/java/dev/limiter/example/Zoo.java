package dev.limiter.example;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

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

    Ticket sell(String show, String buyer) {
        return new Ticket(ticketsSold.incrementAndGet(), show, buyer);
    }
}
