-- The state of an entry. It writes nothing.
-- ARGV       the entry's number
-- reply      packed: the instant (µs), and a byte: 0 waiting, 1 taken, 2 done, 3 dead, 4 unknown
--            or forgotten
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local id, state = ARGV[1], 4
if redis.call('ZSCORE', held, id) then
  state = 1
elseif redis.call('ZSCORE', done, id) then
  state = 2
elseif redis.call('ZSCORE', dead, id) then
  state = 3
elseif is_there(id) then
  state = 0
end
return struct.pack('>dB', now, state)
