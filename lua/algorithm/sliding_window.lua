-- SLIDING WINDOW: two counters; previous * left + (current + cost) * window <= limit * window,
-- compared exactly.
-- source     the sliding window of "Rate Limiting in Rust Using Redis", in one key and without
--            its rounding
-- state      string of 16 bytes: when the present window ends (µs, double), units used in the
--            window before and in the present one (unsigned 32 bit each)
-- arguments  cost (units), limit (units), window (µs), phase (µs, below window: where windows
--            begin)
-- reads      previous (units), current (units), left (µs until the present window ends)
-- found      cost: units; found1: previous, found2: current (units), found3: left (µs)
-- clock      A window that ends more than two windows ahead was written before the clock stepped
--            back. Its counts are moved into the present window, also by a rejection, never by a
--            peek. Otherwise they would last until the clock catches up

-- The last 30 bits of a product of whole numbers.
local function sliding_window_low(a, b)
  b = b % 2 ^ 30
  return (a % 32768 * b + math.floor(a / 32768) % 32768 * b % 32768 * 32768) % 2 ^ 30
end

-- Products may need 78 bits. Rounded to a double's 53 bits they keep their order, but may become
-- equal. Then they differ by less than 2^26, and their last 30 bits tell them apart.
local function sliding_window_fits(previous, left, room, window)
  if room < 0 then
    return false
  end
  local load, space = previous * left, room * window
  if load ~= space or load < 2 ^ 53 then
    return load <= space
  end
  local over = (sliding_window_low(previous, left) - sliding_window_low(room, window)) % 2 ^ 30
  return over == 0 or over > 2 ^ 29
end

local function sliding_window_write(key, now, left, previous, current, window)
  -- The units count until the next window has ended. Expiry is housekeeping and must never come
  -- before that, so it has a second of grace.
  local life = string.format('%d', (left + window) / 1000 + 1001)
  redis.call('SET', key, struct.pack('>dI4I4', now + left, previous, current), 'PX', life)
end

local function sliding_window_read(key, now, a, peek)
  local cost, limit, window, phase = struct.unpack('>dddd', ARGV[a + 1])
  local left, previous, current = 0, 0, 0
  local state = redis.call('GET', key)
  if state then
    local ends
    ends, previous, current = struct.unpack('>dI4I4', state)
    left = ends - now
    if left <= 0 then
      left, previous, current = left + window, current, 0
    end
  end
  if left <= 0 or left > 2 * window then
    local present = window - (now - phase) % window
    if left <= 0 then
      previous = 0
    elseif not peek then
      sliding_window_write(key, now, present, previous, current, window)
    end
    left = present
  end
  local fits = sliding_window_fits(previous, math.min(left, window), limit - current - cost, window)
  return fits, struct.pack('>dBddd', now, fits and 1 or 0, previous, current, left), cost, previous, current, left
end

local function sliding_window_charge(key, now, a, times, cost, previous, current, left)
  local _, limit, window = struct.unpack('>ddd', ARGV[a + 1])
  local charged = 1
  if times > 1 then
    -- The double may be off by one; the exact comparison corrects it.
    local inside = math.min(left, window)
    charged = math.max(1, math.min(times, math.floor((limit - current - previous * inside / window) / cost)))
    while charged > 1 and not sliding_window_fits(previous, inside, limit - current - charged * cost, window) do
      charged = charged - 1
    end
    while charged < times and sliding_window_fits(previous, inside, limit - current - (charged + 1) * cost, window) do
      charged = charged + 1
    end
  end
  local total = current + charged * cost
  if current > 0 then -- the first of its window has set its time to live
    redis.call('SET', key, struct.pack('>dI4I4', now + left, previous, total), 'KEEPTTL')
  else
    sliding_window_write(key, now, left, previous, total, window)
  end
  return charged
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

-- arguments  units, bound (units: the most that debts may add up to)
local function sliding_window_debt(key, now, a, _, previous, current, left)
  local units, bound = struct.unpack('>dd', ARGV[a + 2])
  units = math.min(units, bound - current)
  if units > 0 then
    sliding_window_charge(key, now, a, 1, units, previous, current, left) -- as a request of this cost is charged
  end
end

-- Takes units out of the window in which they were counted, and of no other.
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

