-- The settlement: what comes after a decision, item by item.
-- clock      as in driver.lua
-- KEYS       one for each item, in order
-- ARGV       for each item, one of
--              charge   the algorithm and its arguments for one unit, then units (of gcra: price in µs, and its part) and the
--                       bound of the debt in the same measure
--              refund   the algorithm and the arguments of its refund
-- reply      the instant (µs), then for each item in one flat list: of a charge what the algorithm reads before and after, of a
--            refund whether anything was given back (1 or 0)

-- Charges without asking: what is beyond the limit is debt, up to the bound. The reply at r holds what was read with the
-- arguments at a; those of the debt begin at d.
local function debt(key, now, a, reply, r, d)
  local algorithm = ARGV[a]
  if algorithm == 'gcra' then
    return gcra_debt(key, now, a, reply, r, d)
  end
  local used = reply[r + (algorithm == 'sliding_window' and 2 or 1)]
  local units = math.min(tonumber(ARGV[d]), tonumber(ARGV[d + 1]) - used)
  if units > 0 then
    -- As a request of this cost is charged; interval has its cost behind what must be there.
    local cost = a + (algorithm == 'interval' and 2 or 1)
    ARGV[cost] = units
    charge(key, now, a, reply, r)
    ARGV[cost] = 1
  end
  return d + 2
end

local function refund(key, now, a)
  local algorithm = ARGV[a]
  if algorithm == 'gcra' then
    return gcra_refund(key, now, a)
  elseif algorithm == 'fixed_window' then
    return fixed_window_refund(key, now, a)
  elseif algorithm == 'sliding_log' then
    return sliding_log_refund(key, now, a)
  elseif algorithm == 'sliding_window' then
    return sliding_window_refund(key, now, a)
  elseif algorithm == 'interval' then
    return interval_refund(key, now, a)
  else
    return concurrency_refund(key, now, a)
  end
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local reply = { now }
local a, r = 1, 2
for i = 1, #KEYS do
  if ARGV[a] == 'charge' then
    local from_a, from_r, _ = a + 1, r
    _, a, r = read(KEYS[i], now, from_a, reply, r, false)
    a = debt(KEYS[i], now, from_a, reply, from_r, a)
    _, _, r = read(KEYS[i], now, from_a, reply, r, false)
  else
    local given
    given, a = refund(KEYS[i], now, a + 1)
    reply[r] = given and 1 or 0
    r = r + 1
  end
end
return reply
