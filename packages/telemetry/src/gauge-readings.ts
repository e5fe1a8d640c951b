import type { Logger } from '@parcelway/kernel/logger';
import { within } from '@parcelway/kernel/within';
import type { ProcessMetrics } from './metrics.ts';

/** Readings that take longer are shown by the next response: collectors of metrics stop waiting after ten seconds. */
const READ_WITHIN_MS = 2000;

/** What the readings work with. */
export interface GaugeReadingsOptions {
  readonly metrics: Pick<ProcessMetrics, 'of'>;
  readonly logger: Logger;
  /** What was read so lately is not read again, milliseconds. */
  readonly freshMs: number;
}

/** One reading of a service. */
interface Reading {
  readonly service: string;
  readonly what: string;
  /** Reads, unless that was done a moment ago. */
  readonly take: () => Promise<void>;
  /** True when what the gauges have is what was read last. */
  readonly isCurrent: () => boolean;
}

/** Gauges whose values are in stores or in the log. They are read when somebody asks for the metrics, never by themselves. */
export class GaugeReadings {
  readonly #options: GaugeReadingsOptions;
  readonly #readings = new Set<Reading>();

  constructor(options: GaugeReadingsOptions) {
    this.#options = options;
  }

  /** @returns what ends it */
  add(service: string, what: string, read: () => Promise<void>): () => void {
    const reading = this.#readingOf(service, what, read);
    this.#readings.add(reading);
    return () => void this.#readings.delete(reading);
  }

  /** Reads what is due, all at once. Resolves when all are read, or two seconds later. Never rejects. */
  async refresh(): Promise<void> {
    const all = Promise.all([...this.#readings].map(({ take }) => take()));
    await within(READ_WITHIN_MS, all, () => new Error('late')).catch(() => undefined);
  }

  /** What of a service could not be read when it was asked for last, or is still being read: its gauges keep former values. */
  overdueOf(service: string): readonly string[] {
    return [...this.#readings].filter((reading) => reading.service === service && !reading.isCurrent()).map(({ what }) => what);
  }

  /** Ends all readings. */
  clear(): void {
    this.#readings.clear();
  }

  #readingOf(service: string, what: string, read: () => Promise<void>): Reading {
    const { metrics, logger, freshMs } = this.#options;
    let readAt = Number.NEGATIVE_INFINITY;
    let failures = 0;
    let underWay: Promise<void> | undefined;
    const attempt = async (): Promise<void> => {
      try {
        await read();
        if (failures > 0) logger.info({ what, failures }, 'Gauges can be read again');
        failures = 0;
      } catch (error) {
        if (failures === 0) logger.warn({ what, err: error }, 'Gauges cannot be read; they keep their last values');
        failures += 1;
        metrics.of(service).count('parcelway_gauge_read_failures_total', {});
      }
    };
    const take = async (): Promise<void> => {
      if (underWay === undefined) {
        if (performance.now() - readAt < freshMs) return;
        readAt = performance.now();
        underWay = attempt().finally(() => {
          underWay = undefined;
        });
      }
      await underWay;
    };
    return { service, what, take, isCurrent: () => underWay === undefined && failures === 0 && readAt > Number.NEGATIVE_INFINITY };
  }
}
