package dev.limiter.example;

/**
 * A ticket that was sold.
 *
 * @param number counted over all shows of this instance, from 1
 */
public record Ticket(long number, String show, String buyer) {}
