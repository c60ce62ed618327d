-- CONCURRENCY: leases in flight; a lease that is held is renewed, a new one is given while fewer than limit are live.
-- state      sorted set: the lease's name and its length in µs ("name:length"), by the instant at which it expires (µs)
-- arguments  limit (leases), length (µs), member (name:length)
-- reads      fits (0 or 1), live (leases that have not expired), held (1 if the lease is one of them)
-- clock      a lease that lasts longer than its own length was left by a clock that has stepped back: it is cut to that, the 16
--            that last longest on each call, also on one that is rejected (not on a peek)
-- loops      16 leases at most, for cutting and for pruning what has expired
local function concurrency_cut(key, now)
  local longest = redis.call('ZREVRANGE', key, 0, 15, 'WITHSCORES')
  for i = 1, #longest, 2 do
    local expires = now + tonumber(string.match(longest[i], '%d+$'))
    if tonumber(longest[i + 1]) > expires then
      redis.call('ZADD', key, expires, longest[i])
    end
  end
end

local function concurrency_read(key, now, a, reply, r, peek)
  local limit, member = tonumber(ARGV[a + 1]), ARGV[a + 3]
  local live, held = 0, false
  local youngest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
  if youngest[1] then
    if not peek and tonumber(youngest[2]) > now + tonumber(string.match(youngest[1], '%d+$')) then
      concurrency_cut(key, now)
    end
    live = redis.call('ZCOUNT', key, string.format('(%.0f', now), '+inf')
    local expires = redis.call('ZSCORE', key, member)
    held = expires and tonumber(expires) > now
  end
  local fits = held or live < limit
  reply[r] = fits and 1 or 0
  reply[r + 1] = live
  reply[r + 2] = held and 1 or 0
  return fits, a + 4, r + 3
end

local function concurrency_charge(key, now, a, _, r)
  local length = tonumber(ARGV[a + 2])
  redis.call('ZADD', key, now + length, ARGV[a + 3])
  local expired = redis.call('ZCOUNT', key, '-inf', now)
  if expired > 0 then
    redis.call('ZREMRANGEBYRANK', key, 0, math.min(expired, 16) - 1)
  end
  local last = tonumber(redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2])
  -- A second of grace: expiry is housekeeping and must never come before the last lease expires.
  redis.call('PEXPIRE', key, math.ceil((last - now) / 1000) + 1000)
  return a + 4, r + 3
end

