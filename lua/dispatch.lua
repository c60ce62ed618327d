-- From an algorithm's name, the argument at a, to its functions. Both return where the next policy's arguments and reply begin.
local function read(key, now, a, reply, r, peek)
  local algorithm = ARGV[a]
  if algorithm == 'gcra' then
    return gcra_read(key, now, a, reply, r, peek)
  elseif algorithm == 'fixed_window' then
    return fixed_window_read(key, now, a, reply, r, peek)
  elseif algorithm == 'sliding_log' then
    return sliding_log_read(key, now, a, reply, r, peek)
  elseif algorithm == 'sliding_window' then
    return sliding_window_read(key, now, a, reply, r, peek)
  elseif algorithm == 'interval' then
    return interval_read(key, now, a, reply, r, peek)
  elseif algorithm == 'concurrency' then
    return concurrency_read(key, now, a, reply, r, peek)
  end
  error('argument ' .. a .. ' is no algorithm')
end

-- Charges what read found to fit; the reply still holds what it found.
local function charge(key, now, a, reply, r)
  local algorithm = ARGV[a]
  if algorithm == 'gcra' then
    return gcra_charge(key, now, a, reply, r)
  elseif algorithm == 'fixed_window' then
    return fixed_window_charge(key, now, a, reply, r)
  elseif algorithm == 'sliding_log' then
    return sliding_log_charge(key, now, a, reply, r)
  elseif algorithm == 'sliding_window' then
    return sliding_window_charge(key, now, a, reply, r)
  elseif algorithm == 'interval' then
    return interval_charge(key, now, a, reply, r)
  else
    return concurrency_charge(key, now, a, reply, r)
  end
end

