#!/bin/sh
# Counts the top-level classes and the lines of the library that one admitted GCRA request executes:
#   mvn -DskipTests package && testing/benchmarks/one-request.sh [lines]
# Starts the example with a Redis of its own and the JaCoCo agent, warms up, and measures GET
# api/animals. With "lines" the report names each executed line.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$root/testing/benchmarks/target/one-request
jacoco=0.8.12
asm=9.7
mkdir -p "$work"
cd "$root"
[ -f example-webapp/target/example-webapp.war ] || { echo "first: mvn -DskipTests package" >&2; exit 1; }

for artifact in "org.jacoco:org.jacoco.agent:$jacoco:jar:runtime" "org.jacoco:org.jacoco.core:$jacoco" \
    "org.ow2.asm:asm:$asm" "org.ow2.asm:asm-commons:$asm" "org.ow2.asm:asm-tree:$asm"; do
  name=$(echo "$artifact" | cut -d: -f2)
  ls "$work/$name"-*.jar > /dev/null 2>&1 ||
    mvn -q -N dependency:copy "-Dartifact=$artifact" "-DoutputDirectory=$work" -Dmdep.overWriteReleases=false
done
# In the same run as package: the modules of this build are then found without being installed.
if [ ! -f "$work/classpath" ]; then
  mvn -q -DskipTests -pl testing/example-runner package dependency:build-classpath -Dmdep.outputFile=target/classpath
  mv testing/example-runner/target/classpath "$work/classpath"
fi

classes=
for module in limiter-api limiter-local limiter-redis limiter-jaxrs; do
  classes="$classes $root/$module/target/classes"
done
# shellcheck disable=SC2086 # one argument for each module
exec java -cp "$work/*" "$root/testing/benchmarks/OneRequest.java" \
  "$work/org.jacoco.agent-$jacoco-runtime.jar" "$root/testing/example-runner/target/classes:$(cat "$work/classpath")" \
  "$root/example-webapp/target/example-webapp.war" "${1:-figures}" $classes
