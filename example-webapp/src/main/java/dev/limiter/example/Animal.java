package dev.limiter.example;

/** An animal of the zoo. */
public record Animal(String name, String species) {}
