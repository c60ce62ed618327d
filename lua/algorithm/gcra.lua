-- GCRA: a bucket kept as the instant at which it will be empty again, the theoretical arrival time. TOKEN_BUCKET and
-- UNIFORM are other numbers for the same script, and so is LEAKY_BUCKET, whose instant is the next free slot.
-- source     ITU-T I.371, virtual scheduling
-- state      string of 20 bytes: whole µs of the instant (double), the rest as numerator and denominator (unsigned 32 bit
--            each), and a little more than how far the instant lay ahead when it was written (µs, float). The denominator
--            is the limit under which it was written, so nothing drifts at 3 per second
-- arguments  limit (units; denominator of every part), slack (µs) and its part: the backlog that still admits, price (µs) and
--            its part: what the cost adds to the backlog
-- reads      fits (0 or 1), backlog (µs) and its part: how far the instant lies ahead of now
-- clock      an instant further ahead than when it was written proves that the clock has stepped back: the backlog is what it
--            was then, and that is written even if the request is rejected (not by a peek); else it would last until the
--            clock is back. Nothing is concluded from the numbers of this call: another limit or burst may be in force
--            elsewhere
local function gcra_write(key, now, backlog, part, limit)
  local reach = backlog * (1 + 2 ^ -22) + 1 -- a float keeps 24 bits: more than is lost by rounding, and a microsecond
  -- A second of grace: expiry is housekeeping and must never come before the instant.
  redis.call(
    'SET', key, struct.pack('>dI4I4f', now + backlog, part, limit, reach), 'PX', math.ceil(backlog / 1000) + 1000)
end

local function gcra_read(key, now, a, reply, r, peek)
  local limit, slack, slack_part = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3])
  local backlog, part = 0, 0
  local state = redis.call('GET', key)
  if state then
    local instant, rest, denominator, reach = struct.unpack('>dI4I4f', state)
    if rest > 0 and denominator ~= limit then
      instant, rest = instant + 1, 0 -- written under another limit: rounded up, never in the client's favour
    end
    if instant >= now then
      backlog, part = instant - now, rest
    end
    if backlog > reach then
      backlog, part = math.floor(reach), 0
      if not peek then
        gcra_write(key, now, backlog, part, limit)
      end
    end
  end
  local fits = backlog < slack or backlog == slack and part <= slack_part
  reply[r] = fits and 1 or 0
  reply[r + 1] = backlog
  reply[r + 2] = part
  return fits, a + 6, r + 3
end

local function gcra_charge(key, now, a, reply, r)
  local limit = tonumber(ARGV[a + 1])
  local backlog, part = reply[r + 1] + tonumber(ARGV[a + 4]), reply[r + 2] + tonumber(ARGV[a + 5])
  if part >= limit then
    backlog, part = backlog + 1, part - limit
  end
  gcra_write(key, now, backlog, part, limit)
  return a + 6, r + 3
end

