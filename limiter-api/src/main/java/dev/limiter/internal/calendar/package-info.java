/** The units of the calendar, and where their periods begin. */
package dev.limiter.internal.calendar;
