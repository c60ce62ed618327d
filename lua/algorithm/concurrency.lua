-- CONCURRENCY: leases in flight; a lease that is held is renewed, a new one is given while fewer than limit are live.
-- state      sorted set: the lease's name, by the instant at which it expires (µs)
-- arguments  limit (leases), length (µs: how long a lease lasts that nobody renews); the rest of the argument is its name
-- reads      live (leases that have not expired), held (1 if the lease is one of them)
-- clock      a lease that lasts longer than leases do was left by a clock that has stepped back: all that do are cut to that, and
--            that is written even if the request is rejected (not by a peek); else they would last until the clock is back
-- loops      16 expired leases are pruned at most; cutting is O(n), once for each step of the clock
local function concurrency_cut(key, now, length)
  local ahead = redis.call('ZRANGEBYSCORE', key, string.format('(%.0f', now + length), '+inf')
  for i = 1, #ahead do
    redis.call('ZADD', key, now + length, ahead[i])
  end
  redis.call('PEXPIRE', key, string.format('%d', length / 1000 + 1001))
end

local function concurrency_read(key, now, a, peek)
  local limit, length, lease = struct.unpack('>dd', ARGV[a + 1])
  lease = string.sub(ARGV[a + 1], lease)
  local live, held = 0, false
  local youngest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
  if youngest[1] then
    if not peek and tonumber(youngest[2]) > now + length then
      concurrency_cut(key, now, length)
    end
    live = redis.call('ZCOUNT', key, string.format('(%.0f', now), '+inf')
    local expires = redis.call('ZSCORE', key, lease)
    held = expires and tonumber(expires) > now
  end
  local fits = held or live < limit
  return fits, struct.pack('>dBdB', now, fits and 1 or 0, live, held and 1 or 0), length, lease
end

local function concurrency_charge(key, now, _, _, length, lease)
  redis.call('ZADD', key, now + length, lease)
  local expired = redis.call('ZCOUNT', key, '-inf', now)
  if expired > 0 then
    redis.call('ZREMRANGEBYRANK', key, 0, math.min(expired, 16) - 1)
  end
  -- No lease lasts longer than this one; a second of grace: expiry is housekeeping and must never come before its end.
  redis.call('PEXPIRE', key, string.format('%d', length / 1000 + 1001))
  return 1
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

local function concurrency_debt()
  error('nothing can be charged to leases')
end

-- A lease is given back. Doing so again does nothing.
-- arguments  lease (its name)
local function concurrency_refund(key, now, a)
  local lease = ARGV[a + 1]
  local expires = redis.call('ZSCORE', key, lease)
  redis.call('ZREM', key, lease)
  return expires and tonumber(expires) > now
end

