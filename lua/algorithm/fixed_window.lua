-- FIXED WINDOW: a counter for each window; used + cost <= limit.
-- source     the counters of "Rate Limiting in Rust Using Redis", without their second key
-- state      string of 12 bytes: when the window ends (µs, double), units used in it (unsigned 32 bit)
-- arguments  cost (units), limit (units), window (µs), phase (µs, below window: where windows begin)
-- reads      fits (0 or 1), used (units), left (µs until the window ends)
-- clock      a window that ends more than two windows ahead was left by a clock that has stepped back: its count is moved
--            into the present window, and that is written even if the request is rejected (not by a peek); else it
--            would last until the clock is back
local function fixed_window_read(key, now, a, reply, r, peek)
  local cost, limit = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2])
  local window, phase = tonumber(ARGV[a + 3]), tonumber(ARGV[a + 4])
  local ends, used = 0, 0
  local state = redis.call('GET', key)
  if state then
    ends, used = struct.unpack('>dI4', state)
  end
  if ends <= now or ends - now > 2 * window then
    local present = now - (now - phase) % window + window
    if ends <= now then
      used = 0
    elseif not peek then
      redis.call('SET', key, struct.pack('>dI4', present, used), 'PX', math.ceil((present - now) / 1000) + 1000)
    end
    ends = present
  end
  local fits = used + cost <= limit
  reply[r] = fits and 1 or 0
  reply[r + 1] = used
  reply[r + 2] = ends - now
  return fits, a + 5, r + 3
end

local function fixed_window_charge(key, now, a, reply, r)
  local used, left = reply[r + 1] + tonumber(ARGV[a + 1]), reply[r + 2]
  -- A second of grace: expiry is housekeeping and must never come before the window's end.
  redis.call('SET', key, struct.pack('>dI4', now + left, used), 'PX', math.ceil(left / 1000) + 1000)
  return a + 5, r + 3
end

