-- SLIDING LOG: every admitted unit with its instant; used + cost <= limit in every interval of
-- one window's length.
-- source     the sliding log of "Rate Limiting in Rust Using Redis", as a ring in a list instead
--            of a sorted set: 10 bytes a unit instead of 120, and two requests of one
--            microsecond are two entries
-- state      list of instants (µs), never falling from head to tail; a unit is inside while
--            instant > now - window
-- arguments  cost (units; with all that is asked at once at most 1,000), limit (units), window
--            (µs)
-- reads      used (units inside), wait (µs until the request fits; 0 if it does), more (µs until
--            one more unit is free; 0 if none is used), reset (µs until none is used)
-- found      cost: units; found1: used (units inside), found2: reset (µs), found3: units at the
--            head that have left
-- clock      The log's own time never runs back: units that have left the window of the youngest
--            unit stay out. Units lie at most a window ahead of a clock that has stepped back.
--            Units further ahead are moved to now, at most limit of them, also by a rejection,
--            never by a peek
-- loops      Searching is O(log n) list accesses. A charge removes all units that have left,
--            each unit once: 1,000,000 after a rest hold Redis for about 0.15 ms (measured,
--            7.0.15). Moving after a step of the clock is O(n), once
-- constants  stand as texts: Redis would write a number with 17 digits

-- How many units at the head have left the window, and the instant of the first that has not. In
-- steady traffic one look at the first three units is enough. Otherwise it searches outward from
-- there in doubling steps, then by halving. The tail must be inside.
local function sliding_log_expired(key, edge, length)
  local heads = redis.call('LRANGE', key, '0', '2')
  for i = 1, #heads do
    local instant = tonumber(heads[i])
    if instant > edge then
      return i - 1, instant
    end
  end
  local outside, inside = 2, math.min(5, length - 1)
  local instant = tonumber(redis.call('LINDEX', key, inside))
  while instant <= edge and inside < length - 1 do
    outside, inside = inside, math.min(2 * inside + 1, length - 1)
    instant = tonumber(redis.call('LINDEX', key, inside))
  end
  while inside - outside > 1 do
    local middle = math.floor((outside + inside) / 2)
    local found = tonumber(redis.call('LINDEX', key, middle))
    if found <= edge then
      outside = middle
    else
      inside, instant = middle, found
    end
  end
  return inside, instant
end

local function sliding_log_read(key, now, a, peek)
  local cost, limit, window = struct.unpack('>ddd', ARGV[a + 1])
  local edge = now - window
  local length = redis.call('LLEN', key)
  local used, expired, oldest, youngest, moved = 0, length, edge, edge, false
  if length > 0 then
    youngest = tonumber(redis.call('LINDEX', key, '-1'))
    if youngest > now + window then
      used = math.min(length - sliding_log_expired(key, youngest - window, length), limit)
      oldest, youngest, expired, moved = now, now, 0, true
      if not peek then -- 1,000,000 units, the largest log, hold Redis for about 50 ms (measured, 7.0.15)
        local units, instant = {}, string.format('%.0f', now)
        for i = 1, math.min(used, 1000) do
          units[i] = instant
        end
        redis.call('DEL', key)
        for pushed = 0, used - 1, 1000 do
          redis.call('RPUSH', key, unpack(units, 1, math.min(used - pushed, 1000)))
        end
        redis.call('PEXPIRE', key, string.format('%d', window / 1000 + 1001))
      end
    elseif youngest > edge then
      expired, oldest = sliding_log_expired(key, math.max(now, youngest) - window, length)
      used = length - expired
    end
  end
  local fits = used + cost <= limit
  local wait, more = 0, 0
  if used > 0 then
    more = oldest - edge
    if used > limit and not moved then -- the limit was lowered: room comes when fewer than limit are inside
      more = tonumber(redis.call('LINDEX', key, -limit)) - edge
    end
  end
  if not fits then
    local leaving = used + cost - limit
    wait = oldest - edge
    if leaving > 1 and not moved then
      wait = tonumber(redis.call('LINDEX', key, expired + leaving - 1)) - edge
    end
  end
  local reset = used > 0 and youngest - edge or 0
  return fits, struct.pack('>dBdddd', now, fits and 1 or 0, used, wait, more, reset), cost, used, reset, expired
end

local function sliding_log_charge(key, now, a, times, cost, used, reset, expired)
  local _, limit, window = struct.unpack('>ddd', ARGV[a + 1])
  local lasts = math.max(window, reset)
  local instant = now + lasts - window -- never before the youngest, so that the list stays in order when the clock steps
  local charged = times == 1 and 1 or math.min(times, math.floor((limit - used) / cost))
  cost = charged * cost
  if used == 0 and expired > 0 then
    redis.call('DEL', key)
    expired = 0
  end
  if cost == 1 then
    redis.call('RPUSH', key, instant)
  else
    local units = {}
    for i = 1, cost do
      units[i] = instant
    end
    redis.call('RPUSH', key, unpack(units))
  end
  if expired > 1 then -- two at least, which is one command less for every other charge; all, so that one search is the last
    redis.call('LTRIM', key, expired, '-1')
  end
  -- Expiry is housekeeping and must never come before the last unit leaves. The first unit of
  -- each quarter of a second sets it, with a second of grace, so three quarters are left for the
  -- last unit of that quarter. While the clock is behind the quarter of the youngest unit, every
  -- charge sets it.
  local youngest = now + reset - window
  if used == 0 or math.floor(now / 250000) ~= math.floor(youngest / 250000) then
    redis.call('PEXPIRE', key, string.format('%d', lasts / 1000 + 1001))
  end
  return charged
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

-- arguments  units, bound (units: the most that debts may add up to)
local function sliding_log_debt(key, now, a, _, used, reset, expired)
  local units, bound = struct.unpack('>dd', ARGV[a + 2])
  units = math.min(units, bound - used)
  if units > 0 then
    sliding_log_charge(key, now, a, 1, units, used, reset, expired) -- as a request of this cost is charged
  end
end

-- Searches from the young end, and only where the units can be: to find the oldest of 1,000,000
-- units holds Redis for about 80 ms. Units that have left the window of the youngest unit stay
-- out, also when that unit is gone.
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

