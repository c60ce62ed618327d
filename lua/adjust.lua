-- The adjustment: changes state after a decision, item by item.
-- clock      as in driver.lua
-- KEYS       one for each item, in order
-- ARGV       for each item, one of
--              charge   the algorithm and its arguments for one unit, then, packed, those of its
--                       debt
--              refund   the algorithm and, packed, the arguments of its refund
--              peek     the algorithm and its arguments for one unit
-- reply      a text: for each item the instant (µs). For a charge, what the algorithm reads
--            before it and after it. For a refund, a byte: whether anything was given back (1 or
--            0). For a peek, what the algorithm reads: a settlement gives back, and peeks

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local reply = {}
local a = 1
for i = 1, #KEYS do
  local item, _ = ARGV[a]
  if item == 'charge' then
    local cost, found1, found2, found3
    _, reply[#reply + 1], cost, found1, found2, found3 = read(KEYS[i], now, a + 1, false)
    debt(KEYS[i], now, a + 1, cost, found1, found2, found3)
    _, reply[#reply + 1] = read(KEYS[i], now, a + 1, false)
    a = a + 1
  elseif item == 'refund' then
    reply[#reply + 1] = struct.pack('>dB', now, refund(KEYS[i], now, a + 1) and 1 or 0)
  else
    _, reply[#reply + 1] = read(KEYS[i], now, a + 1, true)
  end
  a = a + 3
end
return table.concat(reply)
