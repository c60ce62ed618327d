-- LIST: numbers wait in a list, and their payloads lie in a hash.
-- source     the article's variation with LLEN and LPUSH. A taken entry moves to held, which is
--            a processing list in the order of time: neither an acknowledgement nor a claim has
--            to search
-- state      queue: a list of numbers. letters: a list of numbers and payloads by turns
-- consumers  are not kept
local function length()
  return redis.call('LLEN', queue) + redis.call('ZCARD', held)
end

-- The number of the first waiting entry; nothing if none waits.
local function first_waiting()
  return redis.call('LINDEX', queue, 0)
end

local function write(id, deliveries, payload)
  redis.call('HSET', entries, id, struct.pack('>I4', deliveries) .. payload)
end

local function add(id, payload)
  write(id, 0, payload)
  redis.call('RPUSH', queue, id)
end

local function is_there(id)
  return redis.call('HEXISTS', entries, id) == 1
end

local function drop(id)
  redis.call('HDEL', entries, id)
end

-- How often an entry was delivered, and its payload; nothing if it was deleted by hand.
local function delivered(id)
  local entry = redis.call('HGET', entries, id)
  if entry then
    return struct.unpack('>I4', entry), string.sub(entry, 5)
  end
end

-- Deletes first: Redis with a full memory refuses a script whose first write is HSET.
local function deliver_again(id)
  local deliveries, payload = delivered(id)
  drop(id)
  write(id, deliveries + 1, payload)
end

-- Delivers the first waiting entry; returns its number and payload, nothing if none waits.
local function next_waiting()
  local id = redis.call('LPOP', queue)
  if id then
    local _, payload = delivered(id)
    if payload then
      write(id, 1, payload)
      return id, payload
    end
  end
end

local function write_letter(id, _, payload, remembered)
  redis.call('RPUSH', letters, id, payload)
  redis.call('LTRIM', letters, -2 * remembered, -1)
end
