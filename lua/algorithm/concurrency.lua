-- CONCURRENCY: leases in flight. A held lease is renewed; a new lease is given while fewer than
-- limit are live.
-- state      sorted set: the names of leases, by the instant at which they expire (µs)
-- arguments  limit (leases), length (µs: how long a lease lasts without renewal); the rest of
--            the argument is its name
-- reads      live (leases that have not expired), held (1 if the lease is among them)
-- found      cost: length (µs); found1: the name of the lease
-- clock      A lease that lasts longer than a lease can was written before the clock stepped
--            back. All such leases are cut to the length, also by a rejection, never by a peek.
--            Otherwise they would last until the clock catches up
-- loops      16 expired leases are pruned at most; cutting is O(n), once for each step of the
--            clock
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
  -- No lease lasts longer than this one. Expiry is housekeeping and must never come before its
  -- end, so it has a second of grace.
  redis.call('PEXPIRE', key, string.format('%d', length / 1000 + 1001))
  return 1
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

local function concurrency_debt()
  error('nothing can be charged to leases')
end

-- Gives a lease back. A second time does nothing.
-- arguments  lease (its name)
local function concurrency_refund(key, now, a)
  local lease = ARGV[a + 1]
  local expires = redis.call('ZSCORE', key, lease)
  redis.call('ZREM', key, lease)
  return expires and tonumber(expires) > now
end

