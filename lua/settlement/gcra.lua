-- GCRA afterwards: time is added to the backlog without asking, or taken from it.

-- arguments  price (µs) and its part, bound (µs) and its part: the backlog is raised by the price, and not above the bound. It was
--            read as gcra_parts
local function gcra_debt(key, now, a, found, found_part)
  local limit = struct.unpack('>d', ARGV[a + 1], 33)
  local price, price_part, bound, bound_part = struct.unpack('>dddd', ARGV[a + 2])
  local backlog, part = found + price, found_part + price_part
  if part >= limit then
    backlog, part = backlog + 1, part - limit
  end
  if backlog > bound or backlog == bound and part > bound_part then
    backlog, part = bound, bound_part
  end
  if backlog > found or backlog == found and part > found_part then
    gcra_write(key, now, backlog, part, limit)
  end
end

-- Only what has not leaked yet: no more than the price, and no more than the instant that the charge reached still lies ahead.
-- A slot of a queue is given back only while it is the last.
-- arguments  limit (units; denominator of every part), price (µs) and its part, reached (µs) and its part: the instant after the
--            charge, queue (0 or 1)
local function gcra_refund(key, now, a)
  local limit, given, given_part, reached, reached_part, queue = struct.unpack('>dddddB', ARGV[a + 1])
  local state = redis.call('GET', key)
  if not state then
    return false
  end
  local rest, denominator, instant, reach = 0, limit, struct.unpack('>df', state)
  if #state > 12 then
    rest, denominator = struct.unpack('>I4I4', state, 13)
  end
  if queue == 1 and (instant ~= reached or rest ~= reached_part or denominator ~= limit) then
    return false
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
    return false
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
  return true
end

