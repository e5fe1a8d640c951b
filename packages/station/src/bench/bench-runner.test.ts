import { expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import type { WarehouseCalls } from '../api/warehouse.ts';
import { ExpectedParcels } from '../expected/expected-parcels.ts';
import { type QueuedReport, ReportQueue } from '../queue/queued-report.ts';
import { MemoryStore } from '../testing/queue.ts';
import { candidateOf, detailWith, listedWith } from '../testing/work.ts';
import { BenchRunner, MAX_RECENT, stateOf, withNew, withResolved, withWarnings } from './bench-runner.ts';
import { lookUpScan, unclaimedResponse } from './lookups.ts';

const before = detailWith({ status: 2 });
const after = detailWith({ status: 2, version: 2, marketplace_label_version: 2, shipping_label: 'https://example.com/files/label-2.pdf' });

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns += 1) {
    if (turns === 1000) throw new Error(`Never came true: ${holds}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const none = () => Promise.reject(new ApiFailure('offline'));

/** A bench with a parcel on it, and a platform that shows what a test says. */
async function atWork() {
  const platform = { shows: before as WarehouseForecastDetail | ApiFailure, reads: 0, prints: true };
  const log: string[] = [];
  const expected = new ExpectedParcels();
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

function callsTo(...known: string[]): WarehouseCalls {
  const read: WarehouseCalls['read'] = async (forecast_no) => {
    if (!known.includes(forecast_no)) throw new ApiFailure(forecast_no === 'OUT' ? 'offline' : '40403');
    return detailWith({ forecast_no });
  };
  return {
    read,
    readAgain: read,
    listUnclaimed: none,
    claim: none,
    dismiss: async () => {
      throw new ApiFailure('40902', { detail: 'before', data: { action: 'claim' } });
    },
    lookUp: none,
  };
}

const parcel = (...candidates: string[]) => ({ id: 'e1', number: 'SF1', reason: 'ambiguous', reports: [], candidates }) as const;

test('a candidate that has gone is left out', async () => {
  const response = await unclaimedResponse(callsTo('FC1', 'FC3'), { ask: 'candidates', parcel: parcel('FC1', 'FC2', 'FC3') });
  expect(response).toMatchObject({ choices: [{ forecast: { forecast_no: 'FC1' } }, { forecast: { forecast_no: 'FC3' } }], hasMore: false });
});

test('a failure is a response, too', async () => {
  expect(await unclaimedResponse(callsTo(), { ask: 'dismiss', id: 'e1', reason: 'x' })).toEqual({
    of: 'failure',
    code: '40902',
    message: 'before',
    data: { action: 'claim' },
    offline: false,
  });
  expect(await unclaimedResponse(callsTo(), { ask: 'candidates', parcel: parcel('OUT') })).toMatchObject({ of: 'failure', offline: true });
});

const expected = new ExpectedParcels();

expected.apply([listedWith()]);

const failing = (code: string) => () => Promise.reject(new ApiFailure(code));

test.each(['offline', 'timeout', 'unreadable', '42901', '50301'])('after %s the parcels that this device knows are asked', async (code) => {
  const matches = await lookUpScan(failing(code), expected, 'SF123456');
  expect(matches).toMatchObject({ candidates: [{ forecast: { forecast_no: 'FC001' } }], hasMore: false, offline: true });
  expect(await lookUpScan(failing(code), expected, 'SF999999')).toEqual({ candidates: [], hasMore: false, offline: true });
});

test.each(['40301', '42201'])('the code %s is a response: nothing else is asked', async (code) => {
  await expect(lookUpScan(failing(code), expected, 'SF123456')).rejects.toMatchObject({ code });
});

const stamp = { event_id: 'e1', occurred_at: '', warehouse_code: 'SZ01' };
const queued: QueuedReport = { seq: 1, scope: '', stamp, draft: { type: 'arrival', forecast_no: 'FC1' }, photos: [], title: 'PO-1' };
const recent = { eventId: 'e1', title: 'PO-1', type: 'arrival' };

test('the latest is first, and the list is bounded', () => {
  const many = Array.from({ length: MAX_RECENT }, (_, index) => ({ ...recent, eventId: `e${index}` }));
  expect(withNew([recent], many).map(({ eventId }) => eventId)).toEqual(many.map(({ eventId }) => eventId).reverse());
});

test('a report waits, is refused, or was sent, with what the platform warned of', () => {
  expect(stateOf(recent, [queued])).toBe('waiting');
  expect(stateOf(recent, [{ ...queued, fault: { code: '42201', message: '', errors: [] } }])).toBe('refused');
  expect(stateOf(recent, [])).toBe('sent');
  const [warned = recent] = withWarnings([recent], [{ report: queued, rule: 'no_forecast', message: 'none' }]);
  expect([warned, stateOf(warned, [])]).toEqual([{ ...recent, warning: { rule: 'no_forecast', message: 'none' } }, 'warned']);
});

test('a report whose parcel was claimed or dismissed is no longer one to look at', () => {
  const warning = { rule: 'no_forecast', message: '' };
  const unclaimed = { ...recent, title: 'SF 123', warning };
  const reports = [unclaimed, { ...unclaimed, eventId: 'e2', title: 'SF9' }, { ...recent, eventId: 'e3', title: 'SF123' }];
  const states = (ids: string[], claimedFor?: string) =>
    withResolved(reports, { do: 'resolved', number: 'SF123', ids, ...(claimedFor !== undefined && { claimedFor }) }).map((each) =>
      stateOf(each, []),
    );
  expect(states([], 'PO-7')).toEqual(['claimed', 'warned', 'sent']);
  expect(states(['e2'])).toEqual(['dismissed', 'dismissed', 'sent']);
});
