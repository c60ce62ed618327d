-- From an algorithm's name, the argument at a, to its functions. A program may lack those that its callers do not ask for.

-- Whether the policy fits, what was read, packed for the reply, and what charge needs to know: the cost, and up to three numbers.
local function read(key, now, a, peek)
  local algorithm = ARGV[a]
  if algorithm == 'gcra' or algorithm == 'gcra_parts' then
    return gcra_read(key, now, a, peek)
  elseif algorithm == 'fixed_window' then
    return fixed_window_read(key, now, a, peek)
  elseif algorithm == 'sliding_log' then
    return sliding_log_read(key, now, a, peek)
  elseif algorithm == 'sliding_window' then
    return sliding_window_read(key, now, a, peek)
  elseif algorithm == 'interval' then
    return interval_read(key, now, a, peek)
  elseif algorithm == 'gate' then
    return gate_read(key, now, a, peek)
  elseif algorithm == 'concurrency' then
    return concurrency_read(key, now, a, peek)
  end
  error('argument ' .. a .. ' is no algorithm')
end

-- Charges what read found to fit, as often as it fits and at most so many times, and returns how often.
local function charge(key, now, a, times, cost, x, y, z)
  local algorithm = ARGV[a]
  if algorithm == 'gcra' or algorithm == 'gcra_parts' then
    return gcra_charge(key, now, a, times, cost, x, y, z)
  elseif algorithm == 'fixed_window' then
    return fixed_window_charge(key, now, a, times, cost, x, y)
  elseif algorithm == 'sliding_log' then
    return sliding_log_charge(key, now, a, times, cost, x, y, z)
  elseif algorithm == 'sliding_window' then
    return sliding_window_charge(key, now, a, times, cost, x, y, z)
  elseif algorithm == 'interval' then
    return interval_charge(key, now, a, times, cost, x, y, z)
  elseif algorithm == 'gate' then
    return gate_charge(key, now, a, times)
  else
    return concurrency_charge(key, now, a, times, cost, x)
  end
end

