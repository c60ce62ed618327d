-- The driver. A call carries groups, one after the other, each seeing what the one before wrote. A group is the policies of
-- one decision: all of them read without charging, and only if all fit, all are charged.
-- clock      whole microseconds since 1970, asked once: all groups of a call are decided at one instant, on the one clock
--            that all clients share. A script can be given no other time.
-- KEYS       one for each policy, in order
-- ARGV       for each group: the number of its policies, then for each policy its algorithm and that algorithm's arguments
-- reply      for each policy what its algorithm reads, whole numbers in one flat list, the state before the charge; a group
--            was admitted exactly if all its policies fit
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local reply = {}
local k, a, r = 1, 1, 1
local arguments = #ARGV
while a <= arguments do
  local last = k + tonumber(ARGV[a]) - 1
  local admitted = true
  local from_a, from_r = a + 1, r
  a = from_a
  for i = k, last do
    local algorithm, fits = ARGV[a]
    if algorithm == 'gcra' then
      fits, a, r = gcra_read(KEYS[i], now, a, reply, r)
    elseif algorithm == 'fixed_window' then
      fits, a, r = fixed_window_read(KEYS[i], now, a, reply, r)
    elseif algorithm == 'sliding_log' then
      fits, a, r = sliding_log_read(KEYS[i], now, a, reply, r)
    else
      return redis.error_reply('ERR argument ' .. a .. ' is no algorithm')
    end
    admitted = admitted and fits
  end
  if admitted then
    a, r = from_a, from_r
    for i = k, last do
      local algorithm = ARGV[a]
      if algorithm == 'gcra' then
        a, r = gcra_charge(KEYS[i], now, a, reply, r)
      elseif algorithm == 'fixed_window' then
        a, r = fixed_window_charge(KEYS[i], now, a, reply, r)
      else
        a, r = sliding_log_charge(KEYS[i], now, a, reply, r)
      end
    end
  end
  k = last + 1
end
return reply
