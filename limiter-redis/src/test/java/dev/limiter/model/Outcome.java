package dev.limiter.model;

import dev.limiter.CheckResult;
import java.util.List;

/**
 * The decision of the model on a group.
 *
 * @param results one for each check, in the order of the group
 * @param token what gives back what was taken; null if rejected
 */
public record Outcome(boolean admitted, List<CheckResult> results, Token token) {}
