package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.ScriptCommand;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** What one caller asks, by itself: a command, or one group, as most go when there is no crowd. */
record LoneBatch(PendingCall ticket) implements Batch {
    @Override
    public Destination target() {
        return ticket.target();
    }

    @Override
    public boolean takes(PendingCall other) {
        return false;
    }

    @Override
    public CommandArguments command(ScriptCommand spare) {
        return ticket.errand().command(spare);
    }

    @Override
    public JedisDataException deliver(Object reply) {
        ticket.answer(ticket.errand().answer(reply));
        return null;
    }

    @Override
    public void fail(JedisException why) {
        ticket.fail(why);
    }
}
