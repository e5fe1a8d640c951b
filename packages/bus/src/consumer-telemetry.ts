import { toAppError } from '@parcelway/kernel/app-error';
import { noTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import { passableTraceParent } from '@parcelway/telemetry/trace-parent';
import type { Span } from '@parcelway/telemetry/tracer';
import type { BatchRunnerOptions, TriedRecord } from './batch-runner.ts';
import type { LogRecord } from './driver.ts';
import type { ReadRecord } from './merged-calls.ts';

/** A record that was read, and its trace. */
export interface TracedRecord<T> extends ReadRecord<T> {
  /** What its handler passes on; undefined when there is no trace. */
  readonly traceparent: string | undefined;
}

/** How a consumer handles records with their traces. */
export interface TracedHandling<T> {
  /** `traceparent` that a message came with, as it came. */
  readonly traceOf: (read: ReadRecord<T>) => string | undefined;
  readonly handle: (messages: readonly TracedRecord<T>[]) => Promise<void>;
}

/** Counts, times and traces the work of a consumer, and reads its lag when the metrics are exposed. A group has the name of its service. */
export function watchConsumer(consumer: {
  readonly group: string;
  readonly topics: readonly string[];
  readonly telemetry: Telemetry | undefined;
  readonly lag: (topic: string) => Promise<number>;
}) {
  const { group, topics, telemetry, lag } = consumer;
  const { metrics, tracer } = telemetry?.of(group) ?? noTelemetry;
  const labelsOf = (topic: string) => ({ messaging_consumer_group_name: group, messaging_destination_name: topic });
  const end = telemetry?.readWhenExposed(group, `lag of ${topics}`, async () => {
    for (const topic of topics) metrics.set('parcelway_consumer_lag_messages', labelsOf(topic), await lag(topic));
  });
  const start = ({ topic, partition, offset }: LogRecord, parent: string | undefined): Span => {
    const attributes = {
      'messaging.operation.type': 'process',
      'messaging.destination.name': topic,
      'messaging.consumer.group.name': group,
      'messaging.destination.partition.id': String(partition),
      'parcelway.message.offset': offset,
    };
    return tracer.start(`process ${topic}`, { kind: 'consumer', parent, attributes });
  };
  for (const topic of topics) metrics.count('parcelway_dead_letters_total', labelsOf(topic), 0);
  return {
    /** Counts and times the tries of a delivery. */
    observe(topic: string, tried: readonly TriedRecord[]): void {
      const labels = labelsOf(topic);
      for (const { outcome, seconds } of tried) {
        metrics.observe('messaging_process_duration_seconds', { ...labels, outcome }, seconds);
        if (outcome === 'dead_lettered') metrics.count('parcelway_dead_letters_total', labels);
      }
    },
    /** Handles records. Each gets its own span in the trace that caused it. */
    inSpans<T>({ traceOf, handle }: TracedHandling<T>): BatchRunnerOptions<T>['handle'] {
      if (!tracer.recording)
        return (records) => handle(records.map((read) => ({ ...read, traceparent: passableTraceParent(traceOf(read)) })));
      return async (records) => {
        const spans = records.map((read) => start(read.record, traceOf(read)));
        try {
          await handle(records.map((read, index) => ({ ...read, traceparent: spans[index]?.traceparent })));
          for (const span of spans) span.end();
        } catch (thrown) {
          const error = toAppError(thrown).code;
          for (const span of spans) span.end({ error });
          throw thrown;
        }
      };
    },
    /** Reads its lag no more. */
    end: () => end?.(),
  };
}
