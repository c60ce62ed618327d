-- FIXED WINDOW: a counter for each window; used + cost <= limit.
-- source     the counters of "Rate Limiting in Rust Using Redis", without their second key
-- state      string of 12 bytes: when the window ends (µs, double), units used in it (unsigned
--            32 bit). If the count of the period before is kept, 12 such bytes of it follow: of a
--            period directly before this one, else zeros. Without them it is not known
-- arguments  cost (units), limit (units), window (µs), phase (µs, below window: where windows
--            begin). For periods of the calendar, which the caller knows: window is the longest,
--            phase 0, or less than 0 by how long a count is kept after its end (µs), and four
--            boundaries of consecutive periods follow (µs); if a period can be moved, also the
--            least that it lasts after another (µs)
-- reads      used (units), left (µs until the window ends)
-- found      cost: units; found1: used (units), found2: when the window ends (µs), found3: what
--            follows in the state, false if nothing is kept
-- clock      A window that ends more than two windows ahead was written before the clock stepped
--            back. Its count is moved into the present window, also by a rejection, never by a
--            peek. Otherwise it would last until the clock catches up
-- memory     A period that can be moved is kept beyond its end, for the least that the next one
--            lasts. A boundary that comes sooner is passed over
local function fixed_window_read(key, now, a, peek)
  local cost, limit, window, phase = struct.unpack('>dddd', ARGV[a + 1])
  local ends, used = 0, 0
  local state = redis.call('GET', key)
  if state then
    ends, used = struct.unpack('>dI4', state)
  end
  local before = phase < 0 and state and string.sub(state, 13)
  if ends <= now or ends - now > 2 * window then
    local present, least = now - (now - phase) % window + window, 0
    if #ARGV[a + 1] > 32 then -- the calendar: the first boundary that lies ahead ends the period
      local at, last, earliest = 33, #ARGV[a + 1], now
      if last > 64 then
        last, least = 64, struct.unpack('>d', ARGV[a + 1], 65)
        earliest = state and ends <= now and math.max(now, ends + least) or now
      end
      repeat
        present = struct.unpack('>d', ARGV[a + 1], at)
        at = at + 8
      until present > now and (present >= earliest or at == 41) or at > last
      if at == 41 or present <= now or present < earliest then -- the caller's clock is wrong by more than a period
        error(string.format('PERIODS %.0f', now), 0)
      end
      if phase < 0 and ends <= now then -- the count that ended moves behind the new one, unless another period lies between
        local began = struct.unpack('>d', ARGV[a + 1], at - 16)
        before = state and began < ends + math.max(least, 1) and string.sub(state, 1, 12) or string.rep('\0', 12)
      end
    end
    if ends <= now then
      used = 0
    elseif not peek then
      redis.call('SET', key, struct.pack('>dI4', present, used) .. (before or ''), 'PX', string.format('%d', (present + math.max(least, -phase) - now) / 1000 + 1001))
    end
    ends = present
  end
  local fits = used + cost <= limit
  return fits, struct.pack('>dBdd', now, fits and 1 or 0, used, ends - now), cost, used, ends, before
end

local function fixed_window_charge(key, now, a, times, cost, used, ends, before)
  local charged = 1
  if times > 1 then
    local _, limit = struct.unpack('>dd', ARGV[a + 1])
    charged = math.min(times, math.floor((limit - used) / cost))
  end
  local state = struct.pack('>dI4', ends, used + charged * cost)
  if before then
    state = state .. before
  end
  if used > 0 and before ~= '' then -- the first of its window has set its time to live
    redis.call('SET', key, state, 'KEEPTTL')
  else -- a second of grace: expiry is housekeeping and must never come before the window's end
    local needed = #ARGV[a + 1] > 64 and struct.unpack('>d', ARGV[a + 1], 65) or 0
    if before then
      needed = -struct.unpack('>d', ARGV[a + 1], 25)
    end
    redis.call('SET', key, state, 'PX', string.format('%d', (ends + needed - now) / 1000 + 1001))
  end
  return charged
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

-- arguments  units, bound (units: the most that debts may add up to)
local function fixed_window_debt(key, now, a, _, used, ends, before)
  local units, bound = struct.unpack('>dd', ARGV[a + 2])
  units = math.min(units, bound - used)
  if units > 0 then
    fixed_window_charge(key, now, a, 1, units, used, ends, before) -- as a request of this cost is charged
  end
end

-- Takes units out of the window in which they were counted, and of no other.
-- arguments  cost (units), ends (µs: when the window in which they were counted ends); if it is
--            kept, until when (µs)
local function fixed_window_refund(key, now, a)
  local cost, counted = struct.unpack('>dd', ARGV[a + 1])
  local state = redis.call('GET', key)
  if state and struct.unpack('>d', ARGV[a + 1], #ARGV[a + 1] - 7) > now then
    for at = 1, #state, 12 do
      local ends, used = struct.unpack('>dI4', state, at)
      if ends == counted and used > 0 then
        local left = struct.pack('>dI4', ends, math.max(0, used - cost))
        redis.call('SET', key, string.sub(state, 1, at - 1) .. left .. string.sub(state, at + 12), 'KEEPTTL')
        return true
      end
    end
  end
  return false
end

