import type { Logger } from '@parcelway/kernel/logger';
import { createMetrics, type Metrics } from './metrics.ts';
import { passingTracer, type Tracer } from './tracer.ts';

/** Metrics and traces of one service. */
export interface ServiceTelemetry {
  readonly metrics: Metrics;
  readonly tracer: Tracer;
}

/** Metrics and traces of a process, which may run several services. */
export interface Telemetry {
  of(service: string): ServiceTelemetry;
  /** The metrics in Prometheus' text format. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
  /**
   * Reads gauges now and then. A reading that throws is logged when the failures begin and counted each time; its gauges keep
   * their last values, and `parcelway_gauge_read_failures_total` says that they did.
   * @returns what ends it; close() does as well
   */
  readRegularly(service: string, what: string, read: () => Promise<void>): () => void;
  /** Ends the readings and exports the spans that are left. */
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
  /** Between two readings of the gauges; default 15,000 ms. */
  readonly readEveryMs?: number;
}

const READ_EVERY_MS = 15_000;

/** Opens the telemetry of a process. The code that exports spans is loaded only where it is used. */
export async function openTelemetry({ version, logger, traces, readEveryMs = READ_EVERY_MS }: TelemetryOptions): Promise<Telemetry> {
  const metrics = createMetrics(version);
  const tracing = traces && (await import('./otlp-tracing.ts')).openOtlpTracing({ ...traces, version, logger });
  const known = new Map<string, ServiceTelemetry>();
  const timers = new Set<NodeJS.Timeout>();
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
    expose: () => metrics.expose(),
    readRegularly(service, what, read) {
      let reading = false;
      let failures = 0;
      const attempt = async (): Promise<void> => {
        if (reading) return;
        reading = true;
        try {
          await read();
          if (failures > 0) logger.info({ what, failures }, 'Gauges can be read again');
          failures = 0;
        } catch (error) {
          if (failures === 0) logger.warn({ what, err: error }, 'Gauges cannot be read; they keep their last values');
          failures += 1;
          metrics.of(service).count('parcelway_gauge_read_failures_total', {});
        } finally {
          reading = false;
        }
      };
      const timer = setInterval(attempt, readEveryMs).unref();
      timers.add(timer);
      return () => {
        clearInterval(timer);
        timers.delete(timer);
      };
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      timers.clear();
      await tracing?.close();
    },
  };
}
