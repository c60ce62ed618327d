package dev.limiter.redis;

import dev.limiter.CheckGroup;
import dev.limiter.RateLimiter;
import dev.limiter.model.Caller;
import dev.limiter.model.Together;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A limiter on Redis whose callers share a call. */
public final class MergingLimiter extends Forwarding implements Together {
    private final PreparedPolicies policies;
    private final VirtualTime time;

    public MergingLimiter(RateLimiter limiter, PreparedPolicies policies, VirtualTime time) {
        super(limiter);
        this.policies = policies;
        this.time = time;
    }

    @Override
    public void about(String call, List<CheckGroup> groups) {}

    @Override
    public List<List<?>> askTogether(List<Caller> callers) {
        List<DecisionCall> questions = new ArrayList<>();
        for (Caller caller : callers) {
            questions.add(
                    caller instanceof Caller.Asks asks
                            ? DecisionCall.decideEach(policies, asks.groups())
                            : DecisionCall.peek(policies, ((Caller.Peeks) caller).group()));
        }
        List<Reply> replies = time.ask(questions);
        List<List<?>> said = new ArrayList<>();
        for (int i = 0; i < callers.size(); i++) {
            DecisionCall decision = questions.get(i);
            Reply reply = replies.get(i);
            said.add(
                    callers.get(i) instanceof Caller.Asks
                            ? decision.decisions(reply).stream()
                                    .map(Optional::orElseThrow)
                                    .toList()
                            : decision.results(reply));
        }
        return said;
    }
}
