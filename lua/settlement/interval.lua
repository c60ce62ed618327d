-- INTERVAL afterwards: tokens are put back while no refill has come since they were taken.
-- arguments  cost (tokens), limit (tokens of one refill), window (µs), phase (µs: the instant kept when they were taken)
local function interval_refund(key, now, a)
  local cost, limit, window, phase = struct.unpack('>dddd', ARGV[a + 1])
  local state = redis.call('GET', key)
  if not state then
    return false
  end
  local last, full, used = struct.unpack('>ddI4', state)
  if last ~= phase or last > now or now - last >= window then
    return false
  end
  if used > cost then
    full = math.min(full, last + math.ceil((used - cost) / limit) * window)
    interval_write(key, now, last, full, used - cost)
  else
    redis.call('DEL', key)
  end
  return true
end

