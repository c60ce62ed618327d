/**
 * Periods of the calendar, such as months from a customer's billing day: how they are written,
 * and when they begin and end.
 */
package dev.limiter.calendar;
