-- GATE: open until somebody closes it; counts nothing.
-- source     the clients' half of Retry-After (RFC 9110): what one node was told holds for all
-- state      string of 8 bytes: the instant until which it is closed (µs, double); none while it is open
-- arguments  window (µs: the longest that one closing lasts)
-- reads      closed (µs until it opens, 0 if it is open)
-- clock      a gate that is closed for longer than a closing lasts was left by a clock that has stepped back: it is closed for that
--            long from now, and that is written even if the request is rejected (not by a peek); else it would stay
--            closed until the clock is back
local function gate_close(key, now, span)
  -- A second of grace: expiry is housekeeping and must never come before the gate opens.
  redis.call('SET', key, struct.pack('>d', now + span), 'PX', string.format('%d', span / 1000 + 1001))
end

local function gate_read(key, now, a, peek)
  local window = struct.unpack('>d', ARGV[a + 1])
  local closed = 0
  local state = redis.call('GET', key)
  if state then
    closed = math.max(0, struct.unpack('>d', state) - now)
    if closed > window then
      closed = window
      if not peek then
        gate_close(key, now, closed)
      end
    end
  end
  local fits = closed == 0
  return fits, struct.pack('>dBd', now, fits and 1 or 0, closed), closed
end

-- Whoever passes takes nothing, so all of them pass.
local function gate_charge(_, _, _, times)
  return times
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

-- It is closed, and never for less than it is.
-- arguments  span (µs: for how long, from now)
local function gate_debt(key, now, a, closed)
  local span = struct.unpack('>d', ARGV[a + 2])
  if span > closed then
    gate_close(key, now, span)
  end
end

-- A request that passed took nothing.
local function gate_refund()
  return false
end

