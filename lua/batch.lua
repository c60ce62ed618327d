-- The batch: decides what many callers ask in one call, group by group. Each group sees what the
-- groups before it wrote.
-- ARGV       as in driver.lua, with two more heads
--              times n      one policy, of which n callers ask the same; not of concurrency
--              joint        several groups follow, each with its head
-- reply      of times n: what the first caller met, then how many were admitted (double), then,
--            if that is less than n but not 0, what the next caller met. Of joint: a list with
--            one such text for each group
-- failures   what Redis refuses to a group of a joint call is an error in its place, and the
--            next group is decided; without joint it is the reply
local function decide_equal(k, a)
  local times, charged = tonumber(ARGV[a + 1]), 0
  local fits, reports, cost, found1, found2, found3 = read(KEYS[k], now, a + 2, false)
  if fits then
    charged = charge(KEYS[k], now, a + 2, times, cost, found1, found2, found3)
  end
  reports = reports .. struct.pack('>d', charged)
  if fits and charged < times then
    local _, report = read(KEYS[k], now, a + 2, false)
    reports = reports .. report
  end
  return reports
end
if ARGV[1] == 'times' then
  return decide_equal(1, 1)
end

-- Where the group after the one at k and a begins: its first key, and its head.
local function following(k, a)
  local head, policies = ARGV[a], 1
  if head == 'times' then
    a = a + 2
  elseif head == 'group' then
    policies, a = ARGV[a + 1] + ARGV[a + 2], a + 3
  elseif head == 'peek' then
    policies, a = tonumber(ARGV[a + 1]), a + 2
  end
  return k + policies, a + 2 * policies
end

-- Decides the group at k and a; returns its part of the reply, and where the next group begins.
local function decide(k, a)
  local head = ARGV[a]
  if head == 'times' then
    return decide_equal(k, a), following(k, a)
  elseif head == 'group' then
    return decide_group(k, a), following(k, a)
  elseif head == 'peek' then
    return peek_group(k, a), following(k, a)
  end
  local fits, report, cost, found1, found2, found3 = read(KEYS[k], now, a, false)
  if fits then
    charge(KEYS[k], now, a, 1, cost, found1, found2, found3)
  end
  return report, k + 1, a + 2
end

local reply, k, a, arguments = {}, 1, 2, #ARGV -- where the next group begins; of a group that fails, where it began
local function decide_all()
  while a <= arguments do
    reply[#reply + 1], k, a = decide(k, a)
  end
end
local decided, failure = pcall(decide_all)
while not decided do
  reply[#reply + 1] = type(failure) == 'table' and failure or { err = failure } -- a table since Redis 7
  k, a = following(k, a)
  decided, failure = pcall(decide_all)
end
return reply
