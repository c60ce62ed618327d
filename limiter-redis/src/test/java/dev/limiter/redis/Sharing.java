package dev.limiter.redis;

import dev.limiter.CheckGroup;
import dev.limiter.RateLimiter;
import dev.limiter.model.Caller;
import dev.limiter.model.Together;
import java.util.ArrayList;
import java.util.List;

/** A limiter on Redis, and callers who share a call. */
final class Sharing extends Forwarding implements Together {
    private final PreparedPolicies policies;
    private final VirtualTime time;

    Sharing(RateLimiter limiter, PreparedPolicies policies, VirtualTime time) {
        super(limiter);
        this.policies = policies;
        this.time = time;
    }

    @Override
    void about(String call, List<CheckGroup> groups) {}

    @Override
    public List<List<?>> askTogether(List<Caller> callers) {
        List<Question> questions = new ArrayList<>();
        for (Caller caller : callers) {
            questions.add(
                    caller instanceof Caller.Asks asks
                            ? Question.decideEach(policies, asks.groups())
                            : Question.peek(policies, ((Caller.Peeks) caller).group()));
        }
        List<Reply> replies = time.ask(questions);
        List<List<?>> said = new ArrayList<>();
        for (int i = 0; i < callers.size(); i++) {
            Question question = questions.get(i);
            Reply reply = replies.get(i);
            said.add(callers.get(i) instanceof Caller.Asks ? question.decisions(reply) : question.answers(reply));
        }
        return said;
    }
}
