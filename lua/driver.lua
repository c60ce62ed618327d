-- The driver. A call asks for a group, or for several, one after the other. Each group sees what
-- the groups before it wrote. A group is the policies of one decision. All of them are read
-- without charging; only if all fit, all are charged.
-- clock      whole microseconds since 1970, asked once. All groups of a call are decided at one
--            instant, on the clock that all clients share. A script cannot be given another
--            time.
-- KEYS       one for each policy, in order
-- ARGV       for each group its head, then for each policy its algorithm's name, and that
--            algorithm's arguments packed into one. The head is
--              (nothing)    one policy
--              times n      one policy, of which n callers ask the same; not of concurrency
--              group n m    n policies that decide, then m shadows: they do not decide, and are
--                           charged if the others admit and they fit
--              peek n       n policies that are read; nothing is written
--            If there are several groups, joint stands before them
-- reply      packed: for each policy the instant (µs, double), whether it fits (a byte, 1 or 0)
--            and what its algorithm reads (doubles, flags a byte each): the state before the
--            charge. A group was admitted exactly if all its policies that decide fit. For times
--            n it is what the first caller read, then how many were admitted (double). If that
--            is less than n, but not 0, what the next caller read follows. For a joint call it
--            is a list: one such text for each group
-- failures   If Redis refuses a group of a joint call, its error stands in the place of the
--            group, and the next group is decided. Without joint the error is the reply
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local head = ARGV[1]
if head ~= 'joint' and head ~= 'times' and head ~= 'group' and head ~= 'peek' then
  local fits, reading, cost, x, y, z = read(KEYS[1], now, 1, false)
  if fits then
    charge(KEYS[1], now, 1, 1, cost, x, y, z)
  end
  return reading
end

-- The policies of a group from the i-th on. They are read on the way in; when all have been
-- read, they are charged on the way out.
local function settle(i, deciding, last, a, admitted)
  local fits, readings, cost, x, y, z = read(KEYS[i], now, a, false)
  admitted = admitted and (fits or i > deciding)
  if i < last then
    local others
    admitted, others = settle(i + 1, deciding, last, a + 2, admitted)
    readings = readings .. others
  end
  if admitted and fits then
    charge(KEYS[i], now, a, 1, cost, x, y, z)
  end
  return admitted, readings
end

-- Decides the group whose keys begin at k and whose arguments begin at a. Returns its part of
-- the reply, and where keys and arguments of the next group begin.
local function decide(k, a)
  local kind = ARGV[a]
  if kind == 'times' then
    local times, charged = tonumber(ARGV[a + 1]), 0
    local fits, readings, cost, x, y, z = read(KEYS[k], now, a + 2, false)
    if fits then
      charged = charge(KEYS[k], now, a + 2, times, cost, x, y, z)
    end
    readings = readings .. struct.pack('>d', charged)
    if fits and charged < times then
      local _, reading = read(KEYS[k], now, a + 2, false)
      readings = readings .. reading
    end
    return readings, k + 1, a + 4
  elseif kind == 'group' then
    local deciding = k - 1 + ARGV[a + 1]
    local last = deciding + ARGV[a + 2]
    local _, readings = settle(k, deciding, last, a + 3, true)
    return readings, last + 1, a + 3 + 2 * (last + 1 - k)
  elseif kind == 'peek' then
    local policies, readings, _ = tonumber(ARGV[a + 1]), {}
    for i = 1, policies do
      _, readings[i] = read(KEYS[k + i - 1], now, a + 2 * i, true)
    end
    return table.concat(readings), k + policies, a + 2 + 2 * policies
  end
  local fits, reading, cost, x, y, z = read(KEYS[k], now, a, false)
  if fits then
    charge(KEYS[k], now, a, 1, cost, x, y, z)
  end
  return reading, k + 1, a + 2
end

if head ~= 'joint' then
  return (decide(1, 1))
end

local reply, k, a, arguments = {}, 1, 2, #ARGV -- where the next group begins; of one that fails, where it began
local function decide_all()
  while a <= arguments do
    reply[#reply + 1], k, a = decide(k, a)
  end
end
local decided, failure = pcall(decide_all)
while not decided do
  reply[#reply + 1] = type(failure) == 'table' and failure or { err = failure } -- a table since Redis 7
  local policies = 1
  if ARGV[a] == 'times' then
    a = a + 2
  elseif ARGV[a] == 'peek' then
    policies, a = tonumber(ARGV[a + 1]), a + 2
  elseif ARGV[a] == 'group' then
    policies, a = ARGV[a + 1] + ARGV[a + 2], a + 3
  end
  k, a = k + policies, a + 2 * policies
  decided, failure = pcall(decide_all)
end
return reply
