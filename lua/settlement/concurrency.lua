-- CONCURRENCY afterwards: a lease is given back. Doing so again does nothing.
-- arguments  member (name:length)
local function concurrency_refund(key, now, a)
  local member = ARGV[a + 1]
  local expires = redis.call('ZSCORE', key, member)
  redis.call('ZREM', key, member)
  return expires and tonumber(expires) > now, a + 2
end

