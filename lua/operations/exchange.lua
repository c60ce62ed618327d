-- EXCHANGE: the changes that operators have made, one text for all instances of an application,
-- and the reports that instances give when an operator asks for them.
-- state      a string, the text, whose first line is its version; and for each question of an
--            operator a list of reports, which is gone ten seconds after the last one
-- KEYS       the text, or the reports
-- ARGV       one of
--              read version             the text, unless it has this version
--              write version text ttl   puts a text in the place of the one that has this version
--                                       (ttl: ms; 0 for none)
--              report text              adds a report
--              reports                  all reports
-- reply      the instant (µs, double), and once more; to read and write, a byte: 1 if the text has
--            the version, and has been replaced; otherwise 0 and the text. To reports, each with
--            its length (unsigned 32 bit)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local reply = struct.pack('>dd', now, now)
if ARGV[1] == 'report' then
  redis.call('RPUSH', KEYS[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[1], 10000)
  return reply
elseif ARGV[1] == 'reports' then
  local reports = redis.call('LRANGE', KEYS[1], 0, -1)
  for i, report in ipairs(reports) do
    reports[i] = struct.pack('>I4', #report) .. report
  end
  return reply .. table.concat(reports)
end
local text = redis.call('GET', KEYS[1]) or ''
if string.match(text, '^[^\n]*') ~= ARGV[2] then
  return reply .. struct.pack('>B', 0) .. text
end
if ARGV[1] == 'write' and ARGV[4] == '0' then
  redis.call('SET', KEYS[1], ARGV[3])
elseif ARGV[1] == 'write' then
  redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
end
return reply .. struct.pack('>B', 1)
