#!/bin/sh
# Runs Kafka with properties from the environment, by the rule of the image apache/kafka: KAFKA_LOG_DIRS is log.dirs.
set -eu
# The options are several words: they are not quoted on purpose.
config=/tmp/server.properties
env | grep '^KAFKA_' | grep -v '^KAFKA_HEAP_OPTS=' | while IFS='=' read -r name value; do
  printf '%s=%s\n' "$(printf '%s' "${name#KAFKA_}" | tr 'A-Z_' 'a-z.')" "$value"
done > "$config"
java="java ${KAFKA_HEAP_OPTS:--Xmx384m} -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djava.awt.headless=true"
java="$java -Dlog4j2.configurationFile=/opt/kafka/log4j2.properties"
# shellcheck disable=SC2086
$java -cp '/opt/kafka/libs/*' kafka.tools.StorageTool format --cluster-id cGFyY2Vsd2F5LWthZmthMQ --ignore-formatted --config "$config"
# shellcheck disable=SC2086
exec $java -cp '/opt/kafka/libs/*' kafka.Kafka "$config"
