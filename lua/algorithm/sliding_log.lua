-- SLIDING LOG: every admitted unit with its instant; used + cost <= limit in every interval of one window's length.
-- source     the sliding log of "Rate Limiting in Rust Using Redis", as a ring in a list instead of a sorted set: 10 bytes a
--            unit instead of 120, and two requests of one microsecond are two entries
-- state      list of instants (µs), never falling from head to tail; a unit is inside while instant > now - window
-- arguments  cost (units, at most 1,000), limit (units), window (µs)
-- reads      fits (0 or 1), used (units inside), wait (µs until the request fits; 0 if it does), more (µs until
--            one more unit is free; 0 if none is used), reset (µs until none is used)
-- clock      the log's own time never runs back: what has left the window of the youngest unit stays out;
--            units lie at most a window ahead of a clock that has stepped back; units further ahead are moved to now, no more
--            than limit of them, and that is written even if the request is rejected (not by a peek)
-- loops      searching is O(log n) list accesses; moving after a step of the clock is O(n), once

-- How many units at the head have left the window, and the instant of the first that has not. Outward from the head in
-- doubling steps, then halving: in steady traffic that is one or two looks. The tail must be inside.
local function sliding_log_expired(key, edge, length)
  local instant = tonumber(redis.call('LINDEX', key, 0))
  if instant > edge then
    return 0, instant
  end
  local outside, inside = 0, 1
  instant = tonumber(redis.call('LINDEX', key, inside))
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

-- It happens once for each step of the clock; 1,000,000 units, the largest log, hold Redis for about 50 ms (measured, 7.0.15).
local function sliding_log_restart(key, now, count, window)
  local units, instant = {}, string.format('%.0f', now)
  for i = 1, math.min(count, 1000) do
    units[i] = instant
  end
  redis.call('DEL', key)
  while count > 0 do
    local pushed = math.min(count, 1000)
    redis.call('RPUSH', key, unpack(units, 1, pushed))
    count = count - pushed
  end
  redis.call('PEXPIRE', key, math.ceil(window / 1000) + 1000)
end

local function sliding_log_read(key, now, a, reply, r, peek)
  local cost, limit, window = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3])
  local edge = now - window
  local length = redis.call('LLEN', key)
  local used, expired, oldest, youngest, moved = 0, 0, edge, edge, false
  if length > 0 then
    youngest = tonumber(redis.call('LINDEX', key, -1))
    if youngest > now + window then
      used = math.min(length - sliding_log_expired(key, youngest - window, length), limit)
      oldest, youngest = now, now
      moved = true
      if not peek then
        sliding_log_restart(key, now, used, window)
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
  reply[r] = fits and 1 or 0
  reply[r + 1] = used
  reply[r + 2] = wait
  reply[r + 3] = more
  reply[r + 4] = used > 0 and youngest - edge or 0
  return fits, a + 4, r + 5
end

local function sliding_log_charge(key, now, a, reply, r)
  local cost, window = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 3])
  local used, lasts = reply[r + 1], math.max(window, reply[r + 4])
  local instant = now + lasts - window -- never before the youngest, so that the list stays in order when the clock steps
  if used == 0 then
    redis.call('DEL', key)
  end
  local length
  if cost == 1 then
    length = redis.call('RPUSH', key, instant)
  else
    local units = {}
    for i = 1, cost do
      units[i] = instant
    end
    length = redis.call('RPUSH', key, unpack(units))
  end
  local expired = length - cost - used
  if expired > 0 then -- two out for one in: in steady traffic the head stays near the window's edge
    redis.call('LTRIM', key, math.min(expired, 2 * cost), -1)
  end
  -- A second of grace: expiry is housekeeping and must never come before the last unit leaves.
  redis.call('PEXPIRE', key, math.ceil(lasts / 1000) + 1000)
  return a + 4, r + 5
end

