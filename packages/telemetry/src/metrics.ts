import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricDescription } from './metric-catalogue.ts';
import { type MetricLabels, type MetricName, metricCatalogue } from './metric-catalogue.ts';

/** What one service records. Labels are those of the catalogue without `service_name`. */
export interface Metrics {
  /** Adds to a counter; default 1. */
  count<N extends MetricName<'counter'>>(name: N, labels: MetricLabels<N>, by?: number): void;
  /** Sets a gauge. */
  set<N extends MetricName<'gauge'>>(name: N, labels: MetricLabels<N>, value: number): void;
  /** Adds to a gauge; negative to subtract. */
  add<N extends MetricName<'gauge'>>(name: N, labels: MetricLabels<N>, by: number): void;
  /** Ends a series of a gauge, such as that of a thing that was removed; one that is not there is no error. */
  remove<N extends MetricName<'gauge'>>(name: N, labels: MetricLabels<N>): void;
  /** Records a duration in seconds. */
  observe<N extends MetricName<'histogram'>>(name: N, labels: MetricLabels<N>, seconds: number): void;
}

/** The value of a series of a gauge. */
export interface GaugeValue {
  readonly name: MetricName<'gauge'>;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly value: number;
}

/**
 * The delay of the event loop is measured so often, milliseconds. Its metrics are the times between two looks: 0.25 is an event loop without delay.
 * One whose turns take longer than this shows how long they take; shorter ones show when they are in the way of a look. Looking every 10 ms, the default, is most of what an idle process does.
 */
const EVENT_LOOP_LOOKED_AT_MS = 250;

type Instrument = Counter | Gauge | Histogram;

function instrumentOf({ name, type, help, labels, buckets }: MetricDescription, registry: Registry): Instrument {
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'counter') return new Counter(options);
  if (type === 'gauge') return new Gauge(options);
  return new Histogram({ ...options, buckets: [...(buckets ?? [])] });
}

/**
 * The metrics of the catalogue and those of Node itself, in a registry of their own.
 * @param version of the platform, for `parcelway_build_info`
 */
export function createMetrics(version: string) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOKED_AT_MS });
  const instruments = new Map<string, Instrument>(metricCatalogue.map((metric) => [metric.name, instrumentOf(metric, registry)]));
  const viewOf = (service: string): Metrics => {
    const view: Metrics = {
      count: (name, labels, by = 1) => (instruments.get(name) as Counter).inc({ service_name: service, ...labels }, by),
      set: (name, labels, value) => (instruments.get(name) as Gauge).set({ service_name: service, ...labels }, value),
      add: (name, labels, by) => (instruments.get(name) as Gauge).inc({ service_name: service, ...labels }, by),
      remove: (name, labels) => (instruments.get(name) as Gauge).remove({ service_name: service, ...labels }),
      observe: (name, labels, seconds) => (instruments.get(name) as Histogram).observe({ service_name: service, ...labels }, seconds),
    };
    view.set('parcelway_build_info', { version }, 1);
    return view;
  };
  return {
    /** The metrics as one service records them. */
    of: viewOf,
    /** What gauges of a service have been set to. */
    async valuesOf(service: string, names: readonly MetricName<'gauge'>[]): Promise<readonly GaugeValue[]> {
      const read = await Promise.all(names.map(async (name) => ({ name, read: await (instruments.get(name) as Gauge).get() })));
      return read.flatMap(({ name, read: { values } }) =>
        values.flatMap(({ labels, value }) => (labels['service_name'] === service ? [{ name, labels, value }] : [])),
      );
    },
    /** All of them in Prometheus' text format, and the content type to send it with. */
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** The metrics of a process. */
export type ProcessMetrics = ReturnType<typeof createMetrics>;
