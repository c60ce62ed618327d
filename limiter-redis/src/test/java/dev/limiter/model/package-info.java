/**
 * What the limiter promises, in plain exact arithmetic: a {@link dev.limiter.model.Model} that
 * shares no line with what it judges, random {@link dev.limiter.model.Histories}, and a
 * {@link dev.limiter.model.HistoryRun} in which both live through them.
 */
package dev.limiter.model;
