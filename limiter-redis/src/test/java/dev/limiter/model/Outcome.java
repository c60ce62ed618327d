package dev.limiter.model;

import dev.limiter.CheckResult;
import java.util.List;

/**
 * What the model decided on a group.
 *
 * @param answers one for each demand, in the order of the group
 * @param token what gives back what was taken; null if rejected
 */
public record Outcome(boolean admitted, List<CheckResult> answers, Token token) {}
