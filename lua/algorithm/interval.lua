-- INTERVAL: a bucket of burst tokens. At the end of each window, limit tokens come into it
-- together.
-- source     the token bucket of "Realization of Distributed Current Limiter by Redis+Lua", with
--            a clock and a state of its own
-- state      string of 20 bytes: the instant of the last refill, or of the first take from a
--            full bucket (µs, double); the instant at which the bucket is full under the limit
--            it was written with (µs, double); the tokens missing from a full bucket, more than
--            burst while there is debt (unsigned 32 bit). A full bucket has no state and no
--            phase
-- arguments  need (tokens that must be there), cost (tokens taken), limit (tokens of one
--            refill), window (µs), burst (tokens)
-- reads      used (tokens missing), left (µs until the next refill; 0 if none is missing), whole
--            (µs until the bucket is full at the latest; 0 if none is missing)
-- found      cost: tokens; found1: used (tokens missing), found2: left, found3: whole (µs)
-- limits     Under another limit tokens come back at its rate, but no later than under the first
--            limit. So waits stay within what can be counted, and no decision depends on the
--            time to live
-- clock      A refill later than now was written before the clock stepped back. The window
--            begins anew and is written, also by a rejection, never by a peek. Otherwise it
--            would last until the clock catches up
local function interval_write(key, now, last, full, used)
  -- A second of grace: expiry is housekeeping and must never come before the bucket is full.
  redis.call('SET', key, struct.pack('>ddI4', last, full, used), 'PX', string.format('%d', (full - now) / 1000 + 1001))
end

local function interval_read(key, now, a, peek)
  local need, cost, limit, window, burst = struct.unpack('>ddddd', ARGV[a + 1])
  local used, left, whole = 0, 0, 0
  local state = redis.call('GET', key)
  if state then
    local last, full
    last, full, used = struct.unpack('>ddI4', state)
    if last > now then
      last, full = now, full - last + now
      if not peek then
        interval_write(key, now, last, full, used)
      end
    end
    local refills = math.floor((now - last) / window)
    used = full > now and math.max(0, used - refills * limit) or 0
    if used > 0 then
      left, whole = last + (refills + 1) * window - now, full - now
    end
  end
  local fits = used + need <= burst
  return fits, struct.pack('>dBddd', now, fits and 1 or 0, used, left, whole), cost, used, left, whole
end

local function interval_charge(key, now, a, times, cost, used, left, whole)
  local need, _, limit, window, burst = struct.unpack('>ddddd', ARGV[a + 1])
  local charged = times == 1 and 1 or math.min(times, math.floor((burst - need - used) / cost) + 1)
  local last = used == 0 and now or now + left - window
  used = used + charged * cost
  local full = last + math.ceil(used / limit) * window
  if full == now + whole then -- it is full no later than before, and lives as long
    redis.call('SET', key, struct.pack('>ddI4', last, full, used), 'KEEPTTL')
  else
    interval_write(key, now, last, full, used)
  end
  return charged
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

-- arguments  units, bound (units: the most that debts may add up to)
local function interval_debt(key, now, a, _, used, left, whole)
  local units, bound = struct.unpack('>dd', ARGV[a + 2])
  units = math.min(units, bound - used)
  if units > 0 then
    interval_charge(key, now, a, 1, units, used, left, whole) -- as a request of this cost is charged
  end
end

-- Tokens are put back if no refill has come since they were taken.
-- arguments  cost (tokens), limit (tokens of one refill), window (µs), phase (µs: the instant
--            kept when they were taken)
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

