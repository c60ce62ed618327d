-- CONCURRENCY afterwards: a lease is given back. Doing so again does nothing.
-- arguments  lease (its name)
local function concurrency_refund(key, now, a)
  local lease = ARGV[a + 1]
  local expires = redis.call('ZSCORE', key, lease)
  redis.call('ZREM', key, lease)
  return expires and tonumber(expires) > now
end

