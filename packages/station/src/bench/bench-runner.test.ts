import { expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { ExpectedParcels } from '../expected/expected-parcels.ts';
import { ReportQueue } from '../queue/report-queue.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { candidateOf, detailWith, listedWith } from '../testing/parcels.ts';
import { BenchRunner } from './bench-runner.ts';

const before = detailWith({ status: 2 });
const after = detailWith({ status: 2, version: 2, marketplace_label_version: 2, shipping_label: 'https://example.com/files/label-2.pdf' });

/** Lets everything go on that waits for nothing outside, until something holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns += 1) {
    if (turns === 1000) throw new Error(`Never came true: ${holds}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A bench with a parcel on it, and a platform that shows what a test says. */
async function atWork() {
  const platform = { shows: before as WarehouseForecastDetail | ApiFailure, reads: 0, prints: true };
  const log: string[] = [];
  const expected = new ExpectedParcels();
  const none = () => Promise.reject(new ApiFailure('offline'));
  const scope = { environment: 'sandbox', warehouseCode: 'SZ01', newId: () => 'id', now: () => 0 } as const;
  const runner = new BenchRunner({
    lookUp: async (scan) => ({ scan, candidates: [candidateOf(before)], has_more: false, warnings: [] }),
    read: async () => before,
    async readAgain() {
      platform.reads += 1;
      if (platform.shows instanceof ApiFailure) throw platform.shows;
      return platform.shows;
    },
    listUnclaimed: none,
    claim: none,
    dismiss: none,
    expected,
    queue: await ReportQueue.open({ store: new MemoryStore(), ...scope }),
    newId: () => 'photo',
    page: {
      takePhoto: async () => [],
      pickFiles: async () => [],
      async print({ url }) {
        log.push(url);
        return platform.prints;
      },
      openDialog: () => undefined,
      onFailure: ({ code }) => log.push(code),
      urlOf: () => '',
      forgetUrl: () => undefined,
    },
  });
  const line = (text: string): void => runner.dispatch({ type: 'line', text });
  const parcel = () => (runner.bench.flow.at === 'parcel' ? runner.bench.flow : undefined);
  line('SF123456');
  await until(() => parcel() !== undefined);
  return { runner, platform, log, line, parcel, expected };
}

test('the parcel on the bench is read once the list shows its correction, and again at the next look when that failed', async () => {
  const { runner, platform, parcel, expected } = await atWork();
  expected.apply([listedWith({ status: 2 })]);
  runner.listChanged();
  expect(platform.reads).toBe(0);
  expected.apply([listedWith({ status: 2, version: 2 })]);
  platform.shows = new ApiFailure('offline');
  runner.listChanged();
  // One reading at a time, however many pages come meanwhile.
  runner.listChanged();
  expect(platform.reads).toBe(1);
  await until(() => {
    platform.shows = after;
    runner.listChanged();
    return parcel()?.alarm !== undefined;
  });
  const { reads } = platform;
  runner.listChanged();
  expect(platform.reads).toBe(reads);
});

test('only what has come out of the printer ends the alarm', async () => {
  const { runner, platform, log, line, parcel } = await atWork();
  line('L');
  await until(() => runner.bench.printed.length === 1);
  Object.assign(platform, { shows: after, prints: false });
  for (const asked of [2, 3]) {
    line('L');
    await until(() => log.length === asked && parcel()?.checking === undefined);
  }
  expect([parcel()?.alarm, log.slice(1)]).toEqual([
    { changes: [{ field: 'shipping_label' }] },
    [after.shipping_label, after.shipping_label],
  ]);
  platform.prints = true;
  line('L');
  await until(() => parcel()?.alarm === undefined);
});

test('a failure that is not caused by the network is reported', async () => {
  const { platform, log, line } = await atWork();
  platform.shows = new ApiFailure('40403');
  line('L');
  await until(() => log.length === 2);
  expect(log).toEqual(['40403', expect.stringContaining('/')]);
});
