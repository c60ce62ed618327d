-- The work of article 002's sorted set, for its figure: the server's time by way of a second key,
-- prune, count, add.
-- keys       the set, a key for the time
-- arguments  window (µs), limit
local time = redis.call('TIME')
redis.call('SET', KEYS[2], string.format('%d%06d', time[1], time[2]))
local now = redis.call('GET', KEYS[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, string.format('%.0f', now - ARGV[1]))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return {0}
end
redis.call('ZADD', KEYS[1], now, time[1] .. ':' .. time[2])
return {1}
