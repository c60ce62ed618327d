-- GATE: open until a caller closes it; counts nothing.
-- source     the client's half of Retry-After (RFC 9110): what one process was told holds for
--            all
-- state      string of 8 bytes: the instant until which it is closed (µs, double); none while it
--            is open
-- arguments  window (µs: the longest closing)
-- reads      closed (µs until it opens, 0 if it is open)
-- found      cost: closed (µs)
-- clock      An instant more than one window ahead was written before the clock stepped back. It
--            is cut to one window ahead and stored, also by a rejection, never by a peek.
--            Otherwise the gate would stay closed until the clock catches up
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

-- A request that passes takes nothing, so all of them pass.
local function gate_charge(_, _, _, times)
  return times
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

-- Closes the gate, and never for less than it is closed already.
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

