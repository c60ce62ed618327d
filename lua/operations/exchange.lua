-- EXCHANGE: the changes that operators have made, one text for all instances of an application,
-- and the reports that instances give when an operator asks for them.
-- state      a string, the text, whose first line is its version; and for each question of an
--            operator a list of reports, which is gone ten seconds after the last one
-- KEYS       the text, or the reports
-- ARGV       one of
--              read version             the text, unless it has this version
--              write version text       puts a text in the place of the one that has this version
--              report text              adds a report
--              reports index            one report; nothing after the last one
-- reply      the instant (µs, double), and once more; to read and write, a byte: 1 if the text has
--            the version, and has been replaced; otherwise 0 and the text. To reports, the report
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- the clock line: what tests replace, and nothing else
local reply = struct.pack('>dd', now, now)
if ARGV[1] == 'report' then
  redis.call('RPUSH', KEYS[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[1], 10000)
  return reply
elseif ARGV[1] == 'reports' then
  return reply .. (redis.call('LINDEX', KEYS[1], ARGV[2]) or '')
end
local text = redis.call('GET', KEYS[1]) or ''
if string.match(text, '^[^\n]*') ~= ARGV[2] then
  return reply .. struct.pack('>B', 0) .. text
end
if ARGV[1] == 'write' then
  redis.call('SET', KEYS[1], ARGV[3])
end
return reply .. struct.pack('>B', 1)
