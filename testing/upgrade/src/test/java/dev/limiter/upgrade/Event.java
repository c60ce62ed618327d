package dev.limiter.upgrade;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What an instance did, as its log has it.
 *
 * @param policy its place among the limits; {@link #LEASE}, {@link #OFFERED} or {@link #DONE}
 * @param key the partition; of a queue its form
 * @param atMicros the instant of the decision; of a queue the number of the entry
 * @param admitted whether a request passed
 * @param untilMicros from when on an admitted request may run; until when a lease was surely held
 */
record Event(int policy, int key, long atMicros, boolean admitted, long untilMicros) {
    static final int LEASE = -1;
    static final int OFFERED = -2;
    static final int DONE = -3;

    void write(DataOutputStream log) throws IOException {
        log.writeByte(policy);
        log.writeByte(key);
        log.writeLong(atMicros);
        log.writeBoolean(admitted);
        log.writeLong(untilMicros);
    }

    static Event read(DataInputStream log) throws IOException {
        return new Event(log.readByte(), log.readByte(), log.readLong(), log.readBoolean(), log.readLong());
    }
}
