-- The settlement: what comes after a decision, item by item.
-- clock      as in driver.lua
-- KEYS       one for each item, in order
-- ARGV       for each item, one of
--              charge   the algorithm and its arguments for one unit, then, packed: units (of gcra_parts: price in µs, and its
--                       part) and the bound of the debt in the same measure
--              refund   the algorithm and, packed, the arguments of its refund
-- reply      a text: for each item the instant (µs) and then, of a charge, what the algorithm reads, all this before and after;
--            of a refund a byte, whether anything was given back (1 or 0)

-- Charges without asking: what is beyond the limit is debt, up to the bound.
local function debt(key, now, a, cost, x, y, z)
  local algorithm = ARGV[a]
  if algorithm == 'gcra_parts' then
    gcra_debt(key, now, a, x, y)
    return
  elseif algorithm == 'gate' then
    gate_debt(key, now, a, cost)
    return
  end
  local units, bound = struct.unpack('>dd', ARGV[a + 2])
  units = math.min(units, bound - (algorithm == 'sliding_window' and y or x))
  if units > 0 then
    charge(key, now, a, 1, units, x, y, z) -- as a request of this cost is charged
  end
end

local function refund(key, now, a)
  local algorithm = ARGV[a]
  if algorithm == 'gcra_parts' then
    return gcra_refund(key, now, a)
  elseif algorithm == 'fixed_window' then
    return fixed_window_refund(key, now, a)
  elseif algorithm == 'sliding_log' then
    return sliding_log_refund(key, now, a)
  elseif algorithm == 'sliding_window' then
    return sliding_window_refund(key, now, a)
  elseif algorithm == 'interval' then
    return interval_refund(key, now, a)
  elseif algorithm == 'gate' then
    return false
  else
    return concurrency_refund(key, now, a)
  end
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local reply = {}
local a = 1
for i = 1, #KEYS do
  if ARGV[a] == 'charge' then
    local cost, x, y, z, _
    _, reply[#reply + 1], cost, x, y, z = read(KEYS[i], now, a + 1, false)
    debt(KEYS[i], now, a + 1, cost, x, y, z)
    _, reply[#reply + 1] = read(KEYS[i], now, a + 1, false)
    a = a + 4
  else
    reply[#reply + 1] = struct.pack('>dB', now, refund(KEYS[i], now, a + 1) and 1 or 0)
    a = a + 3
  end
end
return table.concat(reply)
