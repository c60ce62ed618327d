/**
 * The promises of the limiter in plain exact arithmetic. A {@link dev.limiter.model.Model}
 * shares no code with the limiters. A {@link dev.limiter.model.HistoryRun} runs random
 * {@link dev.limiter.model.Histories} on both.
 */
package dev.limiter.model;
