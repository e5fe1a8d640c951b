import type { ServiceTelemetry, Telemetry } from '../telemetry.ts';
import { newTraceParent, parseTraceParent } from '../trace-parent.ts';
import type { SpanAttributes, SpanEnd, SpanStart } from '../tracer.ts';

/** One call of a service's metrics. */
export interface RecordedMetric {
  readonly service: string;
  readonly call: 'count' | 'set' | 'add' | 'remove' | 'observe';
  readonly name: string;
  readonly labels: Readonly<Record<string, string | number>>;
  /** By how much, what it was set to, or the seconds; NaN for a series that was removed. */
  readonly value: number;
}

/** A span that was begun. */
export interface RecordedSpan {
  readonly service: string;
  /** As it was begun, or the better name of its end. */
  readonly name: string;
  readonly kind: SpanStart['kind'];
  readonly parent: string | undefined;
  readonly traceparent: string;
  /** Those of the beginning and of the end. */
  readonly attributes: SpanAttributes;
  readonly error: string | undefined;
  /** How often it was ended: 1 for a span that is done with. */
  readonly ends: number;
}

/** Telemetry that keeps what it records, for tests. */
export interface RecordingTelemetry extends Telemetry {
  /** Every call so far, in order. */
  readonly metrics: readonly RecordedMetric[];
  /** Every span so far, in the order of their beginnings. */
  readonly spans: readonly RecordedSpan[];
  /** The calls of one metric, as labels and value. */
  recorded(name: string): readonly (readonly [labels: RecordedMetric['labels'], value: number])[];
  /** Takes all readings that are not ended, as a process does when its metrics are asked for. What one throws is thrown. */
  readAll(): Promise<void>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A child has its parent's trace id and a span id of its own. */
function childOf(parent: string | undefined): string {
  const fresh = newTraceParent();
  const known = parseTraceParent(parent);
  return known === undefined ? fresh : `00-${known.traceId}-${fresh.slice(36)}`;
}

function recordSpan(service: string, spans: RecordedSpan[], name: string, start: SpanStart) {
  const { kind, parent, attributes } = start;
  const span: Mutable<RecordedSpan> = {
    service,
    name,
    kind,
    parent,
    traceparent: childOf(parent),
    attributes: { ...attributes },
    error: undefined,
    ends: 0,
  };
  spans.push(span);
  const end = ({ name: better, attributes: more, error }: SpanEnd = {}): void => {
    span.name = better ?? span.name;
    span.attributes = { ...span.attributes, ...more };
    span.error = error;
    span.ends += 1;
  };
  return { traceparent: span.traceparent, end };
}

/** Telemetry of a process that exists in a test. Exposes nothing. */
export function recordingTelemetry(): RecordingTelemetry {
  const metrics: RecordedMetric[] = [];
  const spans: RecordedSpan[] = [];
  const readings = new Set<() => Promise<void>>();
  const of = (service: string): ServiceTelemetry => {
    const record = (call: RecordedMetric['call']) => (name: string, labels: RecordedMetric['labels'], value: number) => {
      metrics.push({ service, call, name, labels, value });
    };
    const count = record('count');
    return {
      metrics: {
        count: (name, labels, by = 1) => count(name, labels, by),
        set: record('set'),
        add: record('add'),
        remove: (name, labels) => record('remove')(name, labels, Number.NaN),
        observe: record('observe'),
      },
      tracer: { recording: true, start: (name, start) => recordSpan(service, spans, name, start) },
    };
  };
  return {
    metrics,
    spans,
    recorded: (name) => metrics.filter((metric) => metric.name === name).map(({ labels, value }) => [labels, value] as const),
    async readAll() {
      for (const read of readings) await read();
    },
    of,
    expose: async () => ({ contentType: 'text/plain', text: '' }),
    readGauges: async () => [],
    readWhenExposed(_service, _what, read) {
      // One of its own, so that what is read twice is ended once.
      const reading = (): Promise<void> => read();
      readings.add(reading);
      return () => void readings.delete(reading);
    },
    async close() {
      readings.clear();
    },
  };
}
