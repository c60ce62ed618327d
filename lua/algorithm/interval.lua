-- INTERVAL: a bucket of burst tokens into which limit of them come together at the end of each window.
-- source     the token bucket of "Realization of Distributed Current Limiter by Redis+Lua", with a clock and a state of its own
-- state      string of 12 bytes: the instant of the last refill, or of the first take from a full bucket (µs, double), and the
--            tokens missing from a full bucket, more than burst while there is debt (unsigned 32 bit). A full bucket has no
--            state and no phase
-- arguments  need (tokens that must be there), cost (tokens taken), limit (tokens of one refill), window (µs), burst (tokens)
-- reads      fits (0 or 1), used (tokens missing), left (µs until the next refill; 0 if none is missing)
-- clock      a refill later than now was left by a clock that has stepped back: the window begins anew, and that is written
--            even if the request is rejected (not by a peek); else it would last until the clock is back
local function interval_write(key, now, last, used, limit, window)
  local life = last + math.ceil(used / limit) * window - now -- until the bucket is full
  -- A second of grace: expiry is housekeeping. Under a limit that was lowered, life may be longer than Redis can count.
  redis.call('SET', key, struct.pack('>dI4', last, used), 'PX', math.min(math.ceil(life / 1000) + 1000, 2 ^ 50))
end

local function interval_read(key, now, a, reply, r, peek)
  local need, limit = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 3])
  local window, burst = tonumber(ARGV[a + 4]), tonumber(ARGV[a + 5])
  local used, left = 0, 0
  local state = redis.call('GET', key)
  if state then
    local last
    last, used = struct.unpack('>dI4', state)
    if last > now then
      last = now
      if not peek then
        interval_write(key, now, last, used, limit, window)
      end
    end
    local refills = math.min(math.floor((now - last) / window), math.ceil(used / limit))
    used = math.max(0, used - refills * limit)
    if used > 0 then
      left = last + (refills + 1) * window - now
    end
  end
  local fits = used + need <= burst
  reply[r] = fits and 1 or 0
  reply[r + 1] = used
  reply[r + 2] = left
  return fits, a + 6, r + 3
end

local function interval_charge(key, now, a, reply, r)
  local limit, window = tonumber(ARGV[a + 3]), tonumber(ARGV[a + 4])
  local used, left = reply[r + 1], reply[r + 2]
  local last = used == 0 and now or now + left - window
  interval_write(key, now, last, used + tonumber(ARGV[a + 2]), limit, window)
  return a + 6, r + 3
end

