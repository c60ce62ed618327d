package dev.limiter.example;

/** Who lives in the zoo. */
public record Animal(String name, String species) {}
