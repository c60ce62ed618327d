-- Ends a held entry, whichever consumer holds it: acknowledges and deletes it, once.
-- ARGV       packed: how many entries that left are remembered; then the entry's number
-- reply      packed: the instant (µs), whether this ended it (a byte)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
if redis.call('ZREM', held, ARGV[2]) == 0 then
  return struct.pack('>dB', now, 0)
end
drop(ARGV[2])
remember(done, ARGV[2], struct.unpack('>d', ARGV[1]))
return struct.pack('>dB', now, 1)
