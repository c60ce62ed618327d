-- Puts an entry into the queue, unless it is full.
-- ARGV       packed: capacity; then the payload
-- reply      packed: the instant (µs), whether it was accepted (a byte). If it was: the length
--            with it (double) and its number (text behind a byte of its length). If not: the
--            length, how many wait, and how long the first of them has waited (µs)
-- rejection  writes nothing
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local capacity = struct.unpack('>d', ARGV[1])
local held_now, length_now = redis.call('ZCARD', held), length()
if length_now >= capacity then
  local first = length_now > held_now and first_waiting()
  return struct.pack('>dBddd', now, 0, length_now, length_now - held_now, first and math.max(0, now - first) or 0)
end
local id = string.format('%.0f', math.max(now, (redis.call('GET', last) or 0) + 1))
redis.call('SET', last, id)
add(id, ARGV[2])
return struct.pack('>dBdB', now, 1, length_now + 1, #id) .. id
