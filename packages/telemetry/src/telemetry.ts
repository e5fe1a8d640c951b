import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import { GaugeReadings } from './gauge-readings.ts';
import type { MetricName } from './metric-catalogue.ts';
import { createMetrics, type GaugeValue, type Metrics } from './metrics.ts';
import { passingTracer, type Tracer } from './tracer.ts';

export type { GaugeValue } from './metrics.ts';

/** Metrics and traces of one service. */
export interface ServiceTelemetry {
  readonly metrics: Metrics;
  readonly tracer: Tracer;
}

/** Metrics and traces of a process, which may run several services. */
export interface Telemetry {
  of(service: string): ServiceTelemetry;
  /** The metrics in Prometheus' text format. Reads gauges before, see {@link readWhenExposed}; those that take too long are in the next response. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
  /**
   * Reads gauges, as {@link expose} does.
   * @returns the series of a service that have a value
   * @throws AppError 50301 when something of the service cannot be read now: its gauges have former values
   */
  readGauges(service: string, names: readonly MetricName<'gauge'>[]): Promise<readonly GaugeValue[]>;
  /**
   * Has gauges read whenever the metrics are exposed, so that they cost nothing where nobody collects metrics. What was read a few seconds ago is not
   * read again. A reading that throws is logged when the failures begin and counted each time; its gauges keep their last values, and
   * `parcelway_gauge_read_failures_total` says that they did.
   * @param what names the reading in the log
   * @returns what ends it; close() does as well
   */
  readWhenExposed(service: string, what: string, read: () => Promise<void>): () => void;
  /** Ends the readings of gauges and exports the spans that are left. */
  close(): Promise<void>;
}

/** Records nothing and passes traces on: for tests of a part alone. */
export const noTelemetry: ServiceTelemetry = {
  metrics: {
    count: () => undefined,
    set: () => undefined,
    add: () => undefined,
    remove: () => undefined,
    observe: () => undefined,
  },
  tracer: passingTracer,
};

/** How a process is watched. */
export interface TelemetryOptions {
  readonly version: string;
  readonly logger: Logger;
  /** Where spans go; undefined records none. */
  readonly traces?: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>>; readonly ratio: number } | undefined;
  /** Gauges that were read so lately are not read again; default 5,000 ms. */
  readonly freshMs?: number;
}

const FRESH_MS = 5000;

/** Opens the telemetry of a process. The code that exports spans is loaded only where it is used. */
export async function openTelemetry({ version, logger, traces, freshMs = FRESH_MS }: TelemetryOptions): Promise<Telemetry> {
  const metrics = createMetrics(version);
  const tracing = traces && (await import('./otlp-tracing.ts')).openOtlpTracing({ ...traces, version, logger });
  const known = new Map<string, ServiceTelemetry>();
  const gauges = new GaugeReadings({ metrics, logger, freshMs });
  const open = (service: string): ServiceTelemetry => ({
    metrics: metrics.of(service),
    tracer: tracing?.of(service) ?? passingTracer,
  });
  return {
    of(service) {
      const telemetry = known.get(service) ?? open(service);
      known.set(service, telemetry);
      return telemetry;
    },
    async expose() {
      await gauges.refresh();
      return metrics.expose();
    },
    async readGauges(service, names) {
      await gauges.refresh();
      const overdue = gauges.overdueOf(service);
      if (overdue.length > 0) throw AppError.unavailable(`The ${service} service cannot read now: ${overdue.join(', ')}`);
      return metrics.valuesOf(service, names);
    },
    readWhenExposed: (service, what, read) => gauges.add(service, what, read),
    async close() {
      gauges.clear();
      await tracing?.close();
    },
  };
}
