-- GCRA afterwards: time is added to the backlog without asking, or taken from it.

-- arguments  price (µs) and its part, bound (µs) and its part: the backlog is raised by the price, and not above the bound
local function gcra_debt(key, now, a, reply, r, d)
  local limit = tonumber(ARGV[a + 1])
  local bound, bound_part = tonumber(ARGV[d + 2]), tonumber(ARGV[d + 3])
  local backlog, part = reply[r + 1] + tonumber(ARGV[d]), reply[r + 2] + tonumber(ARGV[d + 1])
  if part >= limit then
    backlog, part = backlog + 1, part - limit
  end
  if backlog > bound or backlog == bound and part > bound_part then
    backlog, part = bound, bound_part
  end
  if backlog > reply[r + 1] or backlog == reply[r + 1] and part > reply[r + 2] then
    gcra_write(key, now, backlog, part, limit)
  end
  return d + 4
end

-- Only what has not leaked yet: no more than the price, and no more than the instant that the charge reached still lies ahead.
-- A slot of a queue is given back only while it is the last.
-- arguments  limit (units; denominator of every part), price (µs) and its part, reached (µs) and its part: the instant after the
--            charge, queue (0 or 1)
local function gcra_refund(key, now, a)
  local limit, given, given_part = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3])
  local reached, reached_part, queue = tonumber(ARGV[a + 4]), tonumber(ARGV[a + 5]), ARGV[a + 6] == '1'
  local state = redis.call('GET', key)
  if not state then
    return false, a + 7
  end
  local instant, rest, denominator, reach = struct.unpack('>dI4I4f', state)
  if queue and (instant ~= reached or rest ~= reached_part or denominator ~= limit) then
    return false, a + 7
  end
  if rest > 0 and denominator ~= limit then
    instant, rest = instant + 1, 0
  end
  local ahead, backlog = reached - now, instant - now
  if backlog > reach then -- the clock has stepped back, as in gcra_read
    backlog, rest = math.floor(reach), 0
  end
  if ahead < given or ahead == given and reached_part < given_part then
    given, given_part = ahead, reached_part
  end
  if given < 0 or given + given_part == 0 or backlog < 0 or backlog + rest == 0 then
    return false, a + 7
  end
  backlog, rest = backlog - given, rest - given_part
  if rest < 0 then
    backlog, rest = backlog - 1, rest + limit
  end
  if backlog < 0 or backlog + rest == 0 then
    redis.call('DEL', key)
  else
    gcra_write(key, now, backlog, rest, limit)
  end
  return true, a + 7
end

