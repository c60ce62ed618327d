-- GCRA: a bucket kept as the instant at which it will be empty again, the theoretical arrival
-- time. TOKEN_BUCKET and UNIFORM are other arguments of the same script. So is LEAKY_BUCKET,
-- whose instant is the next free slot.
-- source     ITU-T I.371, virtual scheduling
-- state      string of 12 bytes: whole µs of the instant (double), and a little more than how
--            far it lay ahead when it was written (µs, float). gcra_parts has 8 bytes more: the
--            rest as numerator and denominator (unsigned 32 bit each). The denominator is the
--            limit under which it was written, so nothing drifts at 3 per second. gcra_varying is
--            as gcra_parts, of a policy whose limit varies from call to call
-- arguments  gcra, for units of whole µs: tolerance (µs: the burst tolerance, the largest
--            backlog that still admits), increment (µs: what the cost adds to the backlog).
--            gcra_parts, for other units, and gcra_varying: tolerance and increment (whole µs),
--            their parts, limit (units; denominator of the parts)
-- reads      backlog (whole µs: how far the instant lies ahead of now), but for gcra also its part
-- found      cost: increment (µs); found1: backlog (µs), found2: its part, found3: the instant as
--            stored, nil if the state is to be written anew
-- limits     Under another limit gcra_varying keeps the units in use: backlog · own / limit, exact.
--            They are written, also by a rejection, never by a peek: each µs counts at the rate of
--            one limit. What is cut at 2^52 µs is not written, for it would be too few units later.
--            The others keep the instant
-- clock      An instant further ahead than when it was written proves that the clock has stepped
--            back. The backlog is then what it was, and is written, also by a rejection, never
--            by a peek. Otherwise it would last until the clock catches up. The limit of this
--            call proves nothing: another limit or burst may be in force elsewhere

-- Expiry is housekeeping and must never come before the instant. It comes a second after it, at
-- a whole second, so that it stays as it is while the instant of a busy key moves within one
-- second.
-- known      the instant that the state holds; nothing if it may hold none, or another
local function gcra_write(key, now, backlog, part, limit, known)
  local reach = backlog * (1 + 2 ^ -22) + 1 -- a float keeps 24 bits: more than is lost by rounding, and a microsecond
  local state = limit and struct.pack('>dfI4I4', now + backlog, reach, part, limit)
    or struct.pack('>df', now + backlog, reach)
  local second = math.ceil((now + backlog) / 1000000)
  if known and math.ceil(known / 1000000) == second then
    redis.call('SET', key, state, 'KEEPTTL')
  else
    redis.call('SET', key, state, 'PX', string.format('%d', (second + 1) * 1000 - math.floor(now / 1000)))
  end
end

local function gcra_read(key, now, a, peek)
  local tolerance, increment, tolerance_part, limit, _
  local parts = ARGV[a] ~= 'gcra'
  if parts then
    tolerance, increment, tolerance_part, _, limit = struct.unpack('>ddddd', ARGV[a + 1])
  else
    tolerance, increment = struct.unpack('>dd', ARGV[a + 1])
  end
  local backlog, part, known, instant, rest, own = 0, 0
  local state = redis.call('GET', key)
  if state then
    local reach, varied
    instant, reach = struct.unpack('>df', state)
    known, rest, own = instant, 0, limit
    if #state > 12 then
      rest, own = struct.unpack('>I4I4', state, 13)
      varied = own ~= limit and ARGV[a] == 'gcra_varying'
      if rest > 0 and own ~= limit and not varied then
        instant, rest = instant + 1, 0 -- written under another limit: rounded up, never in the client's favour
      end
    end
    if instant >= now then
      backlog, part = instant - now, rest
    end
    if backlog > reach then
      backlog, part, known = math.floor(reach), 0, nil
    end
    if varied and backlog + part > 0 then -- (backlog · own + part) / limit; halves, to stay below 2^53
      local left, high = backlog % limit, math.floor(own / 65536)
      local upper = high * left
      local lower = upper % limit * 65536 + own % 65536 * left + part
      backlog = (backlog - left) / limit * own + math.floor(upper / limit) * 65536 + math.floor(lower / limit)
      part, known = lower % limit, nil
      if backlog >= 2 ^ 52 then
        backlog, part = 2 ^ 52, 0
      end
    end
    if not known and not peek and backlog < 2 ^ 52 then
      gcra_write(key, now, backlog, part, limit)
    end
  end
  local fits = backlog < tolerance or backlog == tolerance and (part == 0 or part <= tolerance_part)
  if parts then
    local report = struct.pack('>dBdd', now, fits and 1 or 0, backlog, part)
    return fits, report, increment, backlog, part, known, instant, rest, own
  end
  return fits, struct.pack('>dBd', now, fits and 1 or 0, backlog), increment, backlog, 0, known
end

local function gcra_charge(key, now, a, times, increment, backlog, part, known)
  if times == 1 and ARGV[a] == 'gcra' then
    gcra_write(key, now, backlog + increment, nil, nil, known)
    return 1
  end
  local tolerance, tolerance_part, increment_part, limit, _
  if ARGV[a] ~= 'gcra' then
    tolerance, _, tolerance_part, increment_part, limit = struct.unpack('>ddddd', ARGV[a + 1])
  else
    tolerance, tolerance_part, increment_part = struct.unpack('>d', ARGV[a + 1]), 0, 0
  end
  if times == 1 then
    backlog, part = backlog + increment, part + increment_part
    if part >= limit then
      backlog, part = backlog + 1, part - limit
    end
    gcra_write(key, now, backlog, part, limit, known)
    return 1
  end
  local whole = limit or 1
  local function after(charges)
    local parts = part + charges * increment_part
    return backlog + charges * increment + math.floor(parts / whole), parts % whole
  end
  local function fits_after(charges)
    local reached, reached_part = after(charges)
    return reached < tolerance or reached == tolerance and reached_part <= tolerance_part
  end
  -- The double may be off by one; the exact comparison corrects it.
  local room = tolerance - backlog + (tolerance_part - part) / whole
  local charged = math.min(times, math.max(1, math.floor(room / (increment + increment_part / whole)) + 1))
  while charged > 1 and not fits_after(charged - 1) do
    charged = charged - 1
  end
  while charged < times and fits_after(charged) do
    charged = charged + 1
  end
  local reached, reached_part = after(charged)
  gcra_write(key, now, reached, reached_part, limit, known)
  return charged
end

-- ADJUSTMENT: the rest is for adjust.lua alone.

-- arguments  increment (µs) and its part, bound (µs) and its part: the increment raises the
--            backlog, at most to the bound. It was read as gcra_parts
local function gcra_debt(key, now, a, _, found, found_part)
  local _, _, _, _, limit = struct.unpack('>ddddd', ARGV[a + 1])
  local increment, increment_part, bound, bound_part = struct.unpack('>dddd', ARGV[a + 2])
  local backlog, part = found + increment, found_part + increment_part
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

-- Gives back only what has not leaked yet: no more than the increment, and no more than the instant
-- that the charge reached still lies ahead. A slot of a queue is given back only while it is the
-- last slot.
-- arguments  those of the charge, not as gcra; the instant of the charge (µs); reached (µs) and its
--            part: the instant that the charge reached; queue (0 or 1)
local function gcra_refund(key, now, a)
  local _, given, _, given_part, limit, at, reached, reached_part, queue = struct.unpack('>ddddddddB', ARGV[a + 1])
  local _, _, _, backlog, part, _, instant, rest, own = gcra_read(key, now, a, true)
  if queue == 1 and (instant ~= reached or rest ~= reached_part or own ~= limit) then
    return false
  end
  local ahead = reached - now
  if own and ARGV[a] == 'gcra_varying' then -- since a raise units have leaked faster, at most all the time
    ahead = ahead - (math.ceil(own / limit) - 1) * math.max(0, now - at)
  end
  if ahead < given or ahead == given and reached_part < given_part then
    given, given_part = ahead, reached_part
  end
  if given < 0 or given + given_part == 0 or backlog + part == 0 or backlog == 2 ^ 52 then
    return false
  end
  backlog, part = backlog - given, part - given_part
  if part < 0 then
    backlog, part = backlog - 1, part + limit
  end
  if backlog < 0 or backlog + part == 0 then
    redis.call('DEL', key)
  else
    gcra_write(key, now, backlog, part, limit)
  end
  return true
end

