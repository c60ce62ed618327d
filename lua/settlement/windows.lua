-- Windows and logs afterwards: units are taken out of the window in which they were counted, and of no other.

-- arguments  cost (units), ends (µs: when the window in which they were counted ends)
local function fixed_window_refund(key, now, a)
  local cost, counted = struct.unpack('>dd', ARGV[a + 1])
  local state = redis.call('GET', key)
  if state and counted > now then
    local ends, used = struct.unpack('>dI4', state)
    if ends == counted and used > 0 then
      redis.call('SET', key, struct.pack('>dI4', ends, math.max(0, used - cost)), 'KEEPTTL')
      return true
    end
  end
  return false
end

-- arguments  cost (units), ends (µs: when the window in which they were counted ends)
local function sliding_window_refund(key, now, a)
  local cost, counted = struct.unpack('>dd', ARGV[a + 1])
  local state = redis.call('GET', key)
  if state and counted > now then
    local ends, previous, current = struct.unpack('>dI4I4', state)
    if ends == counted and current > 0 then
      redis.call('SET', key, struct.pack('>dI4I4', ends, previous, math.max(0, current - cost)), 'KEEPTTL')
      return true
    end
  end
  return false
end

-- It searches from the young end, and only for what may be there: of 1,000,000 units, to find the oldest holds Redis for about
-- 80 ms. What has left the youngest unit's window stays out, also when that unit is gone.
-- arguments  cost (units), instant (µs: under which they were recorded), window (µs)
local function sliding_log_refund(key, now, a)
  local cost, instant, window = struct.unpack('>ddd', ARGV[a + 1])
  local youngest = tonumber(redis.call('LINDEX', key, -1) or '0')
  if instant + window <= now or youngest < instant then
    return false
  end
  local expired = sliding_log_expired(key, math.max(now, youngest) - window, redis.call('LLEN', key))
  redis.call('LTRIM', key, expired, -1)
  return redis.call('LREM', key, -cost, instant) > 0
end

