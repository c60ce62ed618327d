-- STREAM: entries stay in a stream until they are acknowledged. A consumer group knows which
-- consumer holds an entry, and how often it was delivered.
-- source     Redis Streams, XREADGROUP. The instants are kept beside it, in held, because the
--            group's own go by another clock than TIME
-- state      queue: a stream of payloads, with one group. letters: a stream of number,
--            deliveries and payload
-- consumers  are known to Redis while they hold an entry
local GROUP = 'limiter'

local function length()
  return redis.call('XLEN', queue)
end

-- The number of the first waiting entry; nothing if none waits.
local function first_waiting()
  local group = redis.call('XINFO', 'GROUPS', queue)[1]
  local first = redis.call('XRANGE', queue, '(' .. group[8], '+', 'COUNT', 1)[1] -- behind its last-delivered-id
  return first and string.match(first[1], '%d+')
end

local function add(id, payload)
  if redis.call('EXISTS', queue) == 0 then
    redis.call('XGROUP', 'CREATE', queue, GROUP, '0', 'MKSTREAM')
  end
  redis.call('XADD', queue, id, 'payload', payload)
end

local function is_there(id)
  return redis.call('XRANGE', queue, id, id)[1] ~= nil
end

-- Delivers the first waiting entry; returns its number and payload, nothing if none waits.
local function next_waiting(consumer)
  local read = redis.call('XREADGROUP', 'GROUP', GROUP, consumer, 'COUNT', 1, 'STREAMS', queue, '>')
  if read then
    local entry = read[1][2][1]
    return string.match(entry[1], '%d+'), entry[2][2]
  end
end

-- How often a held entry was delivered, and its payload; nothing if it was deleted by hand.
local function delivered(id)
  local pending = redis.call('XPENDING', queue, GROUP, id, id, 1)[1]
  local entry = redis.call('XRANGE', queue, id, id)[1]
  if pending and entry then
    return pending[4], entry[2][2]
  end
end

local function leave(consumer)
  if #redis.call('XPENDING', queue, GROUP, '-', '+', 1, consumer) == 0 then
    redis.call('XGROUP', 'DELCONSUMER', queue, GROUP, consumer)
  end
end

local function deliver_again(id, consumer)
  local holder = redis.call('XPENDING', queue, GROUP, id, id, 1)[1][2]
  redis.call('XCLAIM', queue, GROUP, consumer, 0, id)
  leave(holder)
end

local function drop(id)
  local pending = redis.call('XPENDING', queue, GROUP, id, id, 1)[1]
  redis.call('XACK', queue, GROUP, id)
  redis.call('XDEL', queue, id)
  if pending then
    leave(pending[2])
  end
end

local function write_letter(id, deliveries, payload, remembered)
  redis.call('XADD', letters, 'MAXLEN', remembered, '*', 'id', id, 'deliveries', deliveries, 'payload', payload)
end
