-- The usage: tells what a limit with periods of the calendar has counted. It writes nothing.
-- clock      as in driver.lua
-- KEYS       one key, a state of fixed_window.lua
-- ARGV       none
-- reply      packed: the instant (µs); of the last period that was charged, when it ends (µs) and
--            its units; the same of the period directly before it. 0 for what is not known
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local state = redis.call('GET', KEYS[1]) or ''
return struct.pack('>ddddd', now, struct.unpack('>dI4dI4', state .. string.rep('\0', 24 - #state)))
