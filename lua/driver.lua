-- The driver: decides what one caller asks: one policy, a group, or a peek. A group is the
-- policies of one decision. The driver reads all of them without charging, and charges all of
-- them only if all fit.
-- clock      whole microseconds since 1970, asked once: all groups of a call are decided at one
--            instant, on the one clock that all clients share. A script can be given no other
--            time.
-- KEYS       one for each policy, in order
-- ARGV       the head of the group, then for each policy the algorithm's name and its arguments,
--            packed into one text. The head is
--              (nothing)    one policy
--              group n m    n policies that decide, then m that do not, as soft limits and
--                           shadows: such a policy is charged if the others admit and it fits
--              peek n       n policies that are read, and nothing is written
--            batch.lua has two more heads
-- reply      packed: for each policy the instant (µs, double), whether it fits (a byte, 1 or 0)
--            and what its algorithm reads (doubles, flags a byte each), the state before the
--            charge. The group was admitted exactly if all its policies that decide fit
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else

if #ARGV == 2 then -- one policy, as nearly every call asks
  local fits, report, cost, found1, found2, found3 = read(KEYS[1], now, 1, false)
  if fits then
    charge(KEYS[1], now, 1, 1, cost, found1, found2, found3)
  end
  return report
end

-- The policies from the i-th to the last: read on the way in, and charged on the way out, when
-- all have been read.
local function decide_from(i, deciding, last, a, admitted)
  local fits, reports, cost, found1, found2, found3 = read(KEYS[i], now, a, false)
  admitted = admitted and (fits or i > deciding)
  if i < last then
    local others
    admitted, others = decide_from(i + 1, deciding, last, a + 2, admitted)
    reports = reports .. others
  end
  if admitted and fits then
    charge(KEYS[i], now, a, 1, cost, found1, found2, found3)
  end
  return admitted, reports
end

-- The group whose keys begin at k and whose head is the argument at a.
local function decide_group(k, a)
  local deciding = k - 1 + ARGV[a + 1]
  local _, reports = decide_from(k, deciding, deciding + ARGV[a + 2], a + 3, true)
  return reports
end
if ARGV[1] == 'group' then
  return decide_group(1, 1)
end

local function peek_group(k, a)
  local reports, _ = {}
  for i = 1, tonumber(ARGV[a + 1]) do
    _, reports[i] = read(KEYS[k + i - 1], now, a + 2 * i, true)
  end
  return table.concat(reports)
end
if ARGV[1] == 'peek' then
  return peek_group(1, 1)
end

