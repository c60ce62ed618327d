#!/bin/sh
# Decides once by hand, with the shipped text:
#   lua/try.sh gcra demo 8000000 2000000
# Arguments: the algorithm, the key, and the arguments in the order of the algorithm's head; of
# concurrency the name of the lease follows. REDIS is the server, redis://localhost:6379 if it is
# not set. A local ARGV in front of the text hides the one of Redis, so that nothing binary passes
# the shell.
set -eu
algorithm=$1 key=$2 lua=$(dirname "$0")
shift 2
file=${algorithm%_parts} file=${file%_varying}
exec redis-cli -u "${REDIS:-redis://localhost:6379}" EVAL "
local given = ARGV
local packed, name = {}
local numbers = given[1] == 'concurrency' and #given - 1 or #given
for i = 2, numbers do
  packed[#packed + 1] = struct.pack('>d', given[i])
end
name = given[numbers + 1] or ''
local ARGV = { given[1], table.concat(packed) .. name }
$(sed '/^-- ADJUSTMENT/,$d' "$lua/algorithm/$file.lua")
local read, charge = ${file}_read, ${file}_charge
local function decide()
$(cat "$lua/driver.lua")
end
local report = decide()
local numbers = {}
for at = 10, #report - 7, 8 do
  numbers[#numbers + 1] = string.format('%.0f', (struct.unpack('>d', report, at)))
end
return {
  'at ' .. string.format('%.0f', (struct.unpack('>d', report))),
  string.byte(report, 9) == 1 and 'admitted' or 'rejected',
  'reads ' .. table.concat(numbers, ' '),
}
" 1 "$key" "$algorithm" "$@"
