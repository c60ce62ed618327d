-- The work of article 002's stream, for its figure: a request is added while the stream is shorter
-- than its capacity.
-- keys       the stream
-- arguments  capacity
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then
  return {0}
end
redis.call('XADD', KEYS[1], '*', 'request_details', 'some~values~to~be~parsed')
return {1}
