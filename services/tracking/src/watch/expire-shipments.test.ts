import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { SkippedItems } from '@parcelway/kernel/skipped-items';
import { NOW } from '../testing/samples.ts';
import { keyText, type Shipment } from './domain/shipment.ts';
import { type ArchiveShipments, type ExpiryOptions, expireShipments } from './expire-shipments.ts';
import type { Retention } from './retention.ts';

const KEEP_MS = 1000;

/** The work as the only process has it. */
const GOING = { renew: async () => undefined, isOver: () => false };

/** A store with some rows to delete, at most a hundred at a time. */
function setUp(rows: number) {
  const asked: [before: number, limit: number][] = [];
  const logged: [level: string, fields: object][] = [];
  const counted: string[] = [];
  const store = { rows, fails: false };
  const retention = { ended: async () => [], age: async () => undefined };
  const purge = async (before: number, limit: number): Promise<number> => {
    asked.push([before, limit]);
    if (store.fails) throw new Error('the store is out');
    const deleted = Math.min(store.rows, limit);
    store.rows -= deleted;
    return deleted;
  };
  const logger: Logger = {
    ...silentLogger,
    info: (fields: object) => void logged.push(['info', fields]),
    warn: (fields: object) => void logged.push(['warn', fields]),
    error: (fields: object) => void logged.push(['error', fields]),
  };
  const options: ExpiryOptions = {
    retention: { ...retention, purge },
    clock: new ManualClock(NOW),
    logger,
    keepMs: KEEP_MS,
    archive: undefined,
    skipped: new SkippedItems(3),
    metrics: { count: (name) => void counted.push(name) },
  };
  return { options, asked, logged, counted, store };
}

describe('the clean-up', () => {
  test('deletes what is older than it is kept, batch by batch, until nothing is left', async () => {
    const { options, asked } = setUp(250);
    expect(await expireShipments(options, GOING)).toBe(250);
    expect(asked).toEqual(Array(4).fill([NOW - KEEP_MS, 100]));
  });

  test('ends after the batch under way', async () => {
    const { options, asked } = setUp(250);
    expect(await expireShipments(options, { ...GOING, isOver: () => true })).toBe(100);
    expect(asked).toHaveLength(1);
  });
});

describe('the archive', () => {
  const shipmentOf = (tenantId: string, forecastNo: string) => ({ tenantId, forecastNo, furtherNumber: null }) as Shipment;

  test('has what is deleted, tenant by tenant, and nothing else is deleted', async () => {
    const { options } = setUp(0);
    const ended = [shipmentOf('tnt_a', 'F1'), shipmentOf('tnt_b', 'F2'), shipmentOf('tnt_a', 'F3')];
    const steps: unknown[] = [];
    const retention: Retention = {
      ...options.retention,
      async ended(before, limit) {
        steps.push(['ended', before, limit]);
        return steps.length === 1 ? ended : [];
      },
      async purge(_before, _limit, chosen) {
        steps.push(['purge', [...(chosen ?? [])]]);
        return chosen?.size ?? 0;
      },
    };
    const archive: ArchiveShipments = async (tenantId, shipments) =>
      void steps.push(['archive', tenantId, shipments.map(({ forecastNo }) => forecastNo)]);
    expect(await expireShipments({ ...options, retention, archive }, GOING)).toBe(3);
    expect(steps).toEqual([
      ['ended', NOW - KEEP_MS, 100],
      ['archive', 'tnt_a', ['F1', 'F3']],
      ['archive', 'tnt_b', ['F2']],
      ['purge', [ended[0], ended[2], ended[1]].map((one) => keyText(one as Shipment))],
      ['ended', NOW - KEEP_MS, 100],
      ['purge', []],
    ]);
  });

  test('that is out keeps everything', async () => {
    const { options, asked } = setUp(3);
    const retention = { ...options.retention, ended: async () => [shipmentOf('tnt_a', 'F1')] };
    const archive = () => Promise.reject(AppError.unavailable('the object store is out'));
    await expect(expireShipments({ ...options, retention, archive }, GOING)).rejects.toThrow('out');
    expect(asked).toEqual([]);
  });

  /** A store of shipments, oldest first, and an archive that does not take some of them. */
  function withBad(shipments: readonly Shipment[], ...bad: readonly string[]) {
    const found = setUp(0);
    const state = { left: shipments, bad };
    const retention: Retention = {
      ...found.options.retention,
      ended: async (_before, limit) => state.left.slice(0, limit),
      async purge(_before, limit, chosen) {
        const gone = state.left.slice(0, limit).filter((shipment) => chosen?.has(keyText(shipment)));
        state.left = state.left.filter((shipment) => !gone.includes(shipment));
        return gone.length;
      },
    };
    const archive: ArchiveShipments = async (_tenantId, some) => {
      if (some.some(({ forecastNo }) => state.bad.includes(forecastNo))) throw new Error('no code of today can read it');
    };
    const options = { ...found.options, retention, archive };
    return { ...found, state, options, left: () => state.left.map(({ forecastNo }) => forecastNo) };
  }

  test('that cannot take a shipment leaves that one, which is tried again later, and goes on', async () => {
    const many = Array.from({ length: 250 }, (_, index) => shipmentOf(index % 2 ? 'tnt_a' : 'tnt_b', `F${index}`));
    const { options, state, left, logged, counted } = withBad(many, 'F0', 'F7');
    expect(await expireShipments(options, GOING)).toBe(248);
    expect(left()).toEqual(['F0', 'F7']);
    expect(counted).toEqual(['parcelway_retention_skipped_total', 'parcelway_retention_skipped_total']);
    expect(logged).toMatchObject([
      ['error', { tenant_id: 'tnt_b', forecast_no: 'F0', tries: 1 }],
      ['error', { tenant_id: 'tnt_a', forecast_no: 'F7', tries: 1 }],
    ]);
    state.bad = [];
    expect(await expireShipments(options, GOING)).toBe(0);
    expect(await expireShipments({ ...options, clock: new ManualClock(NOW + 10 * 60_000) }, GOING)).toBe(2);
    expect([left(), options.skipped.size]).toEqual([[], 0]);
  });

  test('goes on behind a whole batch that it cannot take, and ends when there are too many', async () => {
    const many = Array.from({ length: 101 }, (_, index) => shipmentOf('tnt_a', `F${index}`));
    const bad = many.slice(0, 100).map(({ forecastNo }) => forecastNo);
    const { options, left } = withBad(many, ...bad);
    expect(await expireShipments({ ...options, skipped: new SkippedItems(200) }, GOING)).toBe(1);
    expect(left()).toEqual(bad);
    expect(await expireShipments(options, GOING)).toBe(0);
  });
});
