-- What all programs of queues begin with: where a queue lies, and who has left it.
-- KEYS       of one queue, all in one slot:
--              queue    what waits and, of a stream, what is taken, too
--              held     sorted set: who is taken, by the instant of it (µs)
--              done     sorted set: who was acknowledged, numbered in that order
--              dead     sorted set: who was delivered in vain too often, numbered in that order
--              letters  what the dead held, in the same order
--              last     string: the number that was given last
--              entries  of a list only, a hash: by its number how often each was delivered (unsigned 32 bit), and its payload
-- numbers    an entry is named by the instant of its offer in µs, or by one more than the last where that is later: no two are
--            alike, their order is that of the offers, also as text (16 digits until 2286), and a clock that steps back changes neither
-- ttl        none: what waits must not go by itself. Bounds are the capacity, and how many that have left are remembered
-- loops      16 holds are mended and 16 entries passed over at most, see take.lua
local queue, held, done, dead, letters, last, entries = unpack(KEYS)

-- Writes down who has left, and forgets the first of more than are remembered.
local function remember(left, id, remembered)
  local latest = redis.call('ZREVRANGE', left, 0, 0, 'WITHSCORES')
  redis.call('ZADD', left, (latest[2] or 0) + 1, id)
  redis.call('ZREMRANGEBYRANK', left, 0, -1 - remembered)
end
