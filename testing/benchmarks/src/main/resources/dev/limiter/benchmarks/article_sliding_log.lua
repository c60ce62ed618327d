-- The work of article 001's limiter, for its figure: prune by the client's clock, count, add if
-- there is room, expire.
-- keys       the log
-- arguments  now (ns), window (ns), limit
local now, window, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - window)
local sent = redis.call('ZCARD', KEYS[1])
local admitted = sent < limit and 1 or 0
if admitted == 1 then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1])
end
redis.call('EXPIRE', KEYS[1], 1)
return {admitted, limit - sent}
