-- The driver. A call carries groups, one after the other, each seeing what the one before wrote. A group is the policies of
-- one decision: all of them read without charging, and only if all fit, all are charged.
-- clock      whole microseconds since 1970, asked once: all groups of a call are decided at one instant, on the one clock
--            that all clients share. A script can be given no other time.
-- KEYS       one for each policy, in order
-- ARGV       for each group its head, then for each policy its algorithm and that algorithm's arguments. The head is
--              n            the number of policies
--              shadow n m   n policies that decide, then m shadows: they have no say, and are charged if the others admit
--                           and they fit
--              peek n       n policies that are read, and nothing is written
-- reply      the instant (µs), then for each policy what its algorithm reads, whole numbers in one flat list, the state before
--            the charge; a group was admitted exactly if all its policies that decide fit
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local reply = { now }
local k, a, r = 1, 1, 2
local arguments = #ARGV
while a <= arguments do
  local deciding, shadows, peek = tonumber(ARGV[a]), 0, false
  if not deciding then
    peek = ARGV[a] == 'peek'
    deciding = tonumber(ARGV[a + 1])
    a = a + 1
    if not peek then
      shadows = tonumber(ARGV[a + 1])
      a = a + 1
    end
  end
  local admitted, from_a, from_r = not peek, a + 1, r
  local fits, _
  a = from_a
  for i = k, k + deciding - 1 do
    fits, a, r = read(KEYS[i], now, a, reply, r, peek)
    admitted = admitted and fits
  end
  local shadows_a, shadows_r = a, r
  for i = k + deciding, k + deciding + shadows - 1 do
    _, a, r = read(KEYS[i], now, a, reply, r, false)
  end
  if admitted then
    local to_a, to_r = from_a, from_r
    for i = k, k + deciding - 1 do
      to_a, to_r = charge(KEYS[i], now, to_a, reply, to_r)
    end
    for i = k + deciding, k + deciding + shadows - 1 do
      local next_a, next_r -- read again, to know where the next one begins
      fits, next_a, next_r = read(KEYS[i], now, shadows_a, reply, shadows_r, false)
      if fits then
        charge(KEYS[i], now, shadows_a, reply, shadows_r)
      end
      shadows_a, shadows_r = next_a, next_r
    end
  end
  k = k + deciding + shadows
end
return reply
