-- The beginning of all programs of queues: the keys of a queue, and the entries that have left
-- it.
-- KEYS       of one queue, all in one slot:
--              queue    waiting entries; of a stream also taken entries
--              held     sorted set: taken entries, by the instant of the take (µs)
--              done     sorted set: acknowledged entries, numbered in that order
--              dead     sorted set: entries delivered too often, numbered in that order
--              letters  the payloads of the dead entries, in the same order
--              last     string: the last number that was given
--              entries  of a list only, a hash: by number, how often the entry was delivered
--                       (unsigned 32 bit), and its payload
-- numbers    The number of an entry is the instant of its offer in µs, or one more than the last
--            number if that is later. No two are alike. Their order is that of the offers, also
--            as text (16 digits until 2286). A clock that steps back changes neither
-- ttl        none: a waiting entry must not go by itself. The capacity and the number of
--            remembered entries bound the memory
-- loops      at most 16 holds are repaired and 16 entries passed over, see take.lua
local queue, held, done, dead, letters, last, entries = unpack(KEYS)

-- Notes that an entry has left, and forgets the oldest beyond the number that is remembered.
local function remember(left, id, remembered)
  local latest = redis.call('ZREVRANGE', left, 0, 0, 'WITHSCORES')
  redis.call('ZADD', left, (latest[2] or 0) + 1, id)
  redis.call('ZREMRANGEBYRANK', left, 0, -1 - remembered)
end
