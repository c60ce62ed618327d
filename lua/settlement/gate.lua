-- GATE afterwards: it is closed, and never for less than it is. There is nothing to give back.
-- arguments  span (µs: for how long, from now)
local function gate_debt(key, now, a, closed)
  local span = struct.unpack('>d', ARGV[a + 2])
  if span > closed then
    gate_close(key, now, span)
  end
end

