-- A sliding log in a sorted set that answers what the limiter's log answers, to compare with:
-- exact to the microsecond, nothing recorded when it rejects, two requests of one instant are two
-- entries.
-- keys       the log
-- arguments  cost, limit, window (µs)
-- reply      admitted, remaining, retry, next, reset (µs)
local cost, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local edge = now - window
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', edge))
local used = redis.call('ZCARD', KEYS[1])
local admitted, retry = 0, 0
if used + cost <= limit then
  admitted = 1
  local instant = string.format('%.0f', now)
  for unit = used, used + cost - 1 do
    redis.call('ZADD', KEYS[1], instant, instant .. ':' .. unit)
  end
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1000)
  used = used + cost
else
  local leaves = redis.call('ZRANGE', KEYS[1], used + cost - limit - 1, used + cost - limit - 1, 'WITHSCORES')
  retry = tonumber(leaves[2]) - edge
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local youngest = admitted == 1 and now or tonumber(redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2])
return {admitted, limit - used, retry, tonumber(oldest[2]) - edge, youngest - edge}
