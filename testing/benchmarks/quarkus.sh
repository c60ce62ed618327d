#!/bin/bash
# What the limiter costs an application of Quarkus, in requests a second and in microseconds of the
# processor, as ratios of rounds side by side: methods without limits to the same application
# without the limiter, and a limit to a filter with a script.
#   mvn -DskipTests -pl extensions/limiter-quarkus-deployment install && testing/benchmarks/quarkus.sh [rounds]
set -euo pipefail
cd "$(dirname "$0")/quarkus"
rounds=${1:-7} port=18300
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
redis-server --port $port --save '' --appendonly no >/dev/null &

declare -A pid at
for app in free limited script; do
    mvn -B -q -Dapp=$app clean package
    at[$app]=$((port += 1))
    java -Xmx256m -Dquarkus.log.level=WARN -Dquarkus.http.port=${at[$app]} -Dquarkus.http.host=127.0.0.1 \
        -Dredis.port=18300 -Dlimiter.redis.uri=redis://localhost:18300 -jar target/$app/quarkus-app/quarkus-run.jar &
    pid[$app]=$!
    until curl -sf localhost:${at[$app]}/free >/dev/null; do
        kill -0 "${pid[$app]}" # it may have ended
        sleep 0.2
    done
done

# Requests a second, and microseconds of the processor for each.
load() { # application, path, connections, seconds
    local before after rate
    before=$(awk '{print $14 + $15}' "/proc/${pid[$1]}/stat")
    rate=$(wrk -t1 -c"$3" -d"$4"s "http://127.0.0.1:${at[$1]}/$2" | awk '/Non-2xx/ {exit 1} /Requests\/sec/ {print $2}')
    after=$(awk '{print $14 + $15}' "/proc/${pid[$1]}/stat")
    awk -v r="$rate" -v t=$((after - before)) -v s="$4" 'BEGIN {print r, t * 10000 / (r * s)}'
}

# The quartiles of the ratios of two applications.
ratio() { # title, path, connections, application, other
    for app in "$4" "$5"; do load "$app" "$2" 64 6 >/dev/null; done
    for ((i = 0; i < rounds; i++)); do
        echo "$(load "$4" "$2" "$3" 3) $(load "$5" "$2" "$3" 3)"
    done | awk '{print $1 / $3, $2 / $4}' >target/ratios
    for column in 1 2; do
        awk "{print \$$column}" target/ratios | sort -n | awk -v title="$1" -v column=$column '{a[NR] = $1}
            END {q = int((NR + 3) / 4); printf "%-45s %-10s %.2f %.2f %.2f\n", title,
                column == 1 ? "requests" : "processor", a[q], a[int((NR + 1) / 2)], a[NR + 1 - q]}'
    done
}

ratio "free Uni, with to without" free/uni 64 limited free
ratio "free blocking, with to without" free 64 limited free
ratio "limited, 64 connections, to a script" limited 64 limited script
ratio "limited, one connection, to a script" limited 1 limited script
