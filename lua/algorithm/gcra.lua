-- GCRA: a bucket kept as the instant at which it will be empty again, the theoretical arrival time. TOKEN_BUCKET and
-- UNIFORM are other numbers for the same script.
-- source     ITU-T I.371, virtual scheduling
-- state      string of 16 bytes: whole µs of the instant (double), the rest as numerator and denominator (unsigned 32 bit
--            each); the denominator is the limit under which it was written, so nothing drifts at 3 per second
-- arguments  limit (units; denominator of every part), slack (µs) and its part: the backlog that still admits, price (µs) and
--            its part: what the cost adds to the backlog, horizon (µs: the furthest ahead that a legal instant can be)
-- reads      fits (0 or 1), backlog (µs) and its part: how far the instant lies ahead of now
-- clock      an instant beyond the horizon was left by a clock that has stepped back: it is moved to the horizon, and that is
--            written even if the request is rejected; else it would stay beyond until the clock is back
local function gcra_read(key, now, a, reply, r)
  local limit, slack, slack_part = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3])
  local horizon = tonumber(ARGV[a + 6])
  local backlog, part = 0, 0
  local state = redis.call('GET', key)
  if state then
    local instant, rest, denominator = struct.unpack('>dI4I4', state)
    if rest > 0 and denominator ~= limit then
      instant, rest = instant + 1, 0 -- written under another limit: rounded up, never in the client's favour
    end
    if instant >= now then
      backlog, part = instant - now, rest
    end
    if backlog > horizon then
      backlog, part = horizon, 0
      redis.call('SET', key, struct.pack('>dI4I4', now + backlog, 0, limit), 'PX', math.ceil(backlog / 1000) + 1000)
    end
  end
  local fits = backlog < slack or backlog == slack and part <= slack_part
  reply[r] = fits and 1 or 0
  reply[r + 1] = backlog
  reply[r + 2] = part
  return fits, a + 7, r + 3
end

local function gcra_charge(key, now, a, reply, r)
  local limit = tonumber(ARGV[a + 1])
  local backlog, part = reply[r + 1] + tonumber(ARGV[a + 4]), reply[r + 2] + tonumber(ARGV[a + 5])
  if part >= limit then
    backlog, part = backlog + 1, part - limit
  end
  -- A second of grace: expiry is housekeeping and must never come before the instant.
  redis.call('SET', key, struct.pack('>dI4I4', now + backlog, part, limit), 'PX', math.ceil(backlog / 1000) + 1000)
  return a + 7, r + 3
end

