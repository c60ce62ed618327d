-- Finds the commands of the other scripts that the present user may not run.
-- source     ACLs are checked inside scripts, too, and refuse there with an error that pcall
--            shows
-- state      none: KEYS[1] is written, and deleted again
-- KEYS       one key that no other script uses
-- ARGV       none
-- reply      names of commands, in lower case; empty if all may be run
local key = KEYS[1]
local commands = {
  { 'time' }, { 'get', key }, { 'set', key, 'x', 'PX', 1000 }, { 'pexpire', key, 1000 }, { 'del', key },
  { 'rpush', key, 'x' }, { 'llen', key }, { 'lindex', key, 0 }, { 'lrange', key, 0, 1 }, { 'lrem', key, 1, 'y' }, { 'ltrim', key, 1, 0 },
  { 'zadd', key, 1, 'x' }, { 'zscore', key, 'x' }, { 'zcount', key, 0, 1 }, { 'zrevrange', key, 0, 0 },
  { 'zrangebyscore', key, 0, 0 }, { 'zremrangebyrank', key, 1, 1 }, { 'zrem', key, 'x' },
}
-- Redis 6.2 and 7.0 use the first wording; Redis 7.2, Valkey and newer servers use the second.
local function forbids(message)
  return string.find(message, "can't run this command", 1, true) or string.find(message, 'has no permissions to run the', 1, true)
end
local refused = {}
for _, command in ipairs(commands) do
  local reply = redis.pcall(unpack(command))
  if type(reply) == 'table' and reply.err and forbids(reply.err) then
    refused[#refused + 1] = command[1]
  end
end
redis.pcall('del', key)
return refused
