-- Gives a consumer an entry: the longest held entry if its hold is over, otherwise the first
-- waiting entry.
-- ARGV       packed: how long a hold lasts (µs), how often an entry is delivered at most, how
--            many entries that left are remembered; then the consumer
-- reply      packed: the instant (µs), whether there is an entry (a byte); then how often it was
--            delivered, this time included (double), its number (text behind a byte of its
--            length), and the payload to the end
-- clock      A hold that began later than now proves that the clock has stepped back. It begins
--            now, and is written even if no entry is given. Otherwise it would last until the
--            clock catches up
-- loops      At most 16 holds begin anew, and 16 entries go to the dead before an entry is
--            given. The next takes do the rest. So many overdue holds mean that no consumer has
--            come for long
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local hold, most, remembered = struct.unpack('>ddd', ARGV[1])
local consumer = ARGV[2]
if length() == 0 then
  return struct.pack('>dB', now, 0)
end

local function given(id, deliveries, payload)
  redis.call('ZADD', held, now, id)
  return struct.pack('>dBdB', now, 1, deliveries, #id) .. id .. payload
end

for _, ahead in ipairs(redis.call('ZRANGEBYSCORE', held, string.format('(%.0f', now), '+inf', 'LIMIT', 0, 16)) do
  redis.call('ZADD', held, now, ahead)
end
for _ = 1, 16 do
  local id = redis.call('ZRANGEBYSCORE', held, '-inf', now - hold, 'LIMIT', 0, 1)[1]
  if not id then
    break
  end
  local deliveries, payload = delivered(id)
  if deliveries and deliveries < most then
    deliver_again(id, consumer)
    return given(id, deliveries + 1, payload)
  end
  redis.call('ZREM', held, id)
  if deliveries then
    write_letter(id, deliveries, payload, remembered)
    remember(dead, id, remembered)
  end
  drop(id)
end
if length() > redis.call('ZCARD', held) then
  local id, payload = next_waiting(consumer)
  if id then
    return given(id, 1, payload)
  end
end
return struct.pack('>dB', now, 0)
