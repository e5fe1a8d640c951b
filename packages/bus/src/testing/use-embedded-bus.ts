import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import { PARTITIONS } from '@parcelway/contracts/topics';
import { systemClock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import type { Bus } from '../bus.ts';
import { type BusOptions, createBus } from '../create-bus.ts';
import type { BusDriver } from '../driver.ts';
import { openBusInFile } from './bus-in-file.ts';

/** What differs from the bus of an installation. */
export interface TestBusOptions {
  readonly partitions?: number;
  readonly telemetry?: () => BusOptions['telemetry'];
  /** Puts faults in front of the log. */
  readonly over?: (driver: BusDriver) => void;
}

/** Opens a bus over an embedded log before each test. Its pauses have no jitter upwards: they are half their ceiling. */
export function useEmbeddedBus({ partitions = PARTITIONS, telemetry, over = () => undefined }: TestBusOptions = {}) {
  const directory = useDirectory();
  /** The bus, the log under it, and what was logged: level, fields and message. */
  const opened = { bus: {} as Bus, driver: {} as BusDriver, logged: [] as string[] };
  const note = (level: string) => (fields: object, message: string) =>
    void opened.logged.push(`${level} ${JSON.stringify(fields)} ${message}`);
  const logger: Logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error'), child: () => logger };
  const open = async (): Promise<void> => {
    opened.driver = await openBusInFile(join(directory.path, 'bus.db'), { clock: systemClock, logger, partitions });
    over(opened.driver);
    opened.bus = createBus({ driver: opened.driver, logger, clock: systemClock, random: () => 0, telemetry: telemetry?.() });
  };
  beforeEach(async () => {
    opened.logged = [];
    await open();
  });
  afterEach(async () => {
    await opened.bus.close();
  });
  return Object.assign(opened, {
    /** Closes the bus, and opens it over the same log. */
    async reopen(): Promise<void> {
      await opened.bus.close();
      await open();
    },
  });
}

/** The instant of what events say. */
export const INSTANT = '2026-01-31T08:00:00+00:00';

const dataOf = {
  'forecast.cancelled': { cancelled_at: INSTANT },
  'parcel.weighed': { status: 3, weighed_at: INSTANT },
  'parcel.completed': { status: 5, reason: 'put_away', completed_at: INSTANT },
} as const;

/** An event of a forecast, encoded. */
export function eventOf(type: keyof typeof dataOf, forecastNo: string, given: { id?: string; traceparent?: string } = {}): EncodedMessage {
  const { id, traceparent } = given;
  const created = createDomainEvent({
    publisher: 'forecast',
    tenantId: 'tnt_1',
    environment: 'sandbox',
    subject: forecastNo,
    time: 0,
    traceparent,
    type,
    data: { forecast_no: forecastNo, po_number: 'PO-1', ...dataOf[type] },
  } as Parameters<typeof createDomainEvent>[0]);
  return encodeEvent(id === undefined ? created : { ...created, id });
}
