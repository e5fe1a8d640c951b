import { serviceNames } from '@parcelway/contracts/service-name';
import type { ErrorCode } from '@parcelway/kernel/error-codes';
import { noTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import { passableTraceParent } from '@parcelway/telemetry/trace-parent';
import type { TriedRecord } from './batch-runner.ts';
import type { LogRecord } from './driver.ts';

/** The handling of one record. */
export interface Handling {
  /** What the handler passes on; undefined when there is no trace. */
  readonly traceparent: string | undefined;
  /** @param error code of the failure, when it failed */
  end(error?: ErrorCode): void;
}

const untraced = (): void => undefined;

/** A consumer whose work is counted and traced. */
export interface WatchedConsumer {
  /** Counts and times the tries of a delivery. */
  readonly observe: (topic: string, tried: readonly TriedRecord[]) => void;
  /**
   * Begins the handling of a record, as a span of the trace that caused it.
   * @param parent `traceparent` of the message, as it came
   */
  readonly begin: (record: LogRecord, parent: string | undefined) => Handling;
  /** Reads its lag no more. */
  end(): void;
}

/** A group is named after its service, with a suffix where each replica has one of its own: those count together. */
function serviceOf(group: string): string {
  return serviceNames.find((name) => group === name || group.startsWith(`${name}-`)) ?? group;
}

/** Counts, times and traces what a consumer does, and reads its lag now and then. */
export function watchConsumer(consumer: {
  readonly group: string;
  readonly topics: readonly string[];
  readonly telemetry: Telemetry | undefined;
  readonly lag: (topic: string) => Promise<number>;
}): WatchedConsumer {
  const { group, topics, telemetry, lag } = consumer;
  const service = serviceOf(group);
  const { metrics, tracer } = telemetry?.of(service) ?? noTelemetry;
  const labelsOf = (topic: string) => ({ messaging_consumer_group_name: service, messaging_destination_name: topic });
  const end = telemetry?.readRegularly(service, `lag of ${group}`, async () => {
    for (const topic of topics) metrics.set('parcelway_consumer_lag_messages', labelsOf(topic), await lag(topic));
  });
  for (const topic of topics) metrics.count('parcelway_dead_letters_total', labelsOf(topic), 0);
  return {
    observe(topic, tried) {
      const labels = labelsOf(topic);
      for (const { outcome, seconds } of tried) {
        metrics.observe('messaging_process_duration_seconds', { ...labels, outcome }, seconds);
        if (outcome === 'dead_lettered') metrics.count('parcelway_dead_letters_total', labels);
      }
    },
    begin({ topic, partition, offset }, parent) {
      if (!tracer.recording) return { traceparent: passableTraceParent(parent), end: untraced };
      const attributes = {
        'messaging.operation.type': 'process',
        'messaging.destination.name': topic,
        'messaging.consumer.group.name': group,
        'messaging.destination.partition.id': String(partition),
        'parcelway.message.offset': offset,
      };
      const span = tracer.start(`process ${topic}`, { kind: 'consumer', parent, attributes });
      return { traceparent: span.traceparent, end: (error) => span.end({ error }) };
    },
    end: () => end?.(),
  };
}
