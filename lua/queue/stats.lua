-- How many entries wait, are taken and dead, and how long the first waiting entry has waited. It
-- writes nothing.
-- ARGV       none
-- reply      packed: the instant (µs), whether an entry waits (a byte); waiting, taken, dead,
--            and how long the first has waited (µs)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local taken = redis.call('ZCARD', held)
local waiting = math.max(0, length() - taken)
local first = waiting > 0 and first_waiting()
local age = first and math.max(0, now - first) or 0
return struct.pack('>dBdddd', now, first and 1 or 0, waiting, taken, redis.call('ZCARD', dead), age)
