/** Periods of the calendar, such as months from a customer's billing day. */
package dev.limiter.calendar;
