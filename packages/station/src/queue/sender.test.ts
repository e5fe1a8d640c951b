import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IntakeResult, WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { sleep } from '../devices/sleep.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { PHOTO_LOST } from './photo-upload.ts';
import type { ReportWarning } from './report-outcome.ts';
import { ReportQueue } from './report-queue.ts';
import { Sender, type SenderApi } from './sender.ts';

/** A platform as the sender sees it: stores each event_id once, and fails as a test says. */
class Platform implements SenderApi {
  readonly stored: WarehouseEvent[] = [];
  readonly photos = new Map<string, string>();
  /** Milliseconds of the clock at which calls came. */
  readonly calls: number[] = [];
  /** Thrown by each call while it is set. */
  failure: ApiFailure | undefined;
  /** True for a platform whose responses are lost on their way. */
  losesResponses = false;
  rejects: (event: WarehouseEvent) => string | undefined = () => undefined;

  async uploadPhoto(_content: Blob, id: string) {
    this.#arrive();
    const photo_id = this.photos.get(id) ?? `ph_${this.photos.size + 1}`;
    this.photos.set(id, photo_id);
    this.#leave();
    return { photo_id };
  }

  async report(events: readonly WarehouseEvent[]): Promise<IntakeResult> {
    this.#arrive();
    const rejected: IntakeResult['rejected'] = [];
    events.forEach((event, index) => {
      const message = this.rejects(event);
      if (message !== undefined) rejected.push({ index, event_id: event.event_id, code: '42201', message, errors: [] });
      else if (!this.stored.some(({ event_id }) => event_id === event.event_id)) this.stored.push(event);
    });
    this.#leave();
    const warnings = events.flatMap((event, index) =>
      event.express_no === undefined
        ? []
        : [{ index, event_id: event.event_id, field: 'express_no', rule: 'no_forecast' as const, message: 'none' }],
    );
    return { accepted: 0, duplicates: 0, waiting: 0, rejected, warnings };
  }

  #arrive(): void {
    this.calls.push(Date.now());
    if (this.failure !== undefined) throw this.failure;
  }

  #leave(): void {
    if (this.losesResponses) throw new ApiFailure('offline');
  }
}

let store: MemoryStore;
let platform: Platform;
let queue: ReportQueue;
let stopped: ApiFailure | undefined;
let warnings: ReportWarning[];
let storeWorks: boolean[];
let gone: AbortController;
let ids = 0;

const openQueue = (warehouseCode = 'SZ01'): Promise<ReportQueue> =>
  ReportQueue.open({ store, environment: 'sandbox', warehouseCode, newId: () => `e${++ids}`, now: Date.now });

/** Sends in the background, on the clock of the test. */
function run(from = queue): Sender {
  const sender = new Sender({
    queue: from,
    api: platform,
    sleep,
    random: () => 0.5,
    onStopped: (failure) => {
      stopped = failure;
    },
    onWarnings: (more) => warnings.push(...more),
    onStore: (works) => storeWorks.push(works),
  });
  void sender.run(gone.signal);
  return sender;
}

const weighing = (forecast_no: string) =>
  ({ type: 'weighing', forecast_no, weight_kg: 1, length_cm: 1, width_cm: 1, height_cm: 1 }) as const;
const picture = (id: string) => ({ id, content: new Blob([id]) });
const weighed = (forecast_no: string, ...photos: string[]) =>
  queue.add({ title: forecast_no, draft: weighing(forecast_no), photos: photos.map(picture) });
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  jest.useFakeTimers({ now: Date.parse('2026-11-23T04:00:00Z') });
  [store, platform, stopped, warnings, gone, ids] = [new MemoryStore(), new Platform(), undefined, [], new AbortController(), 0];
  storeWorks = [];
  queue = await openQueue();
});
afterEach(() => {
  gone.abort();
  jest.useRealTimers();
});

test('what is reported goes at once, its photos before it, with the time of the bench', async () => {
  run();
  await weighed('FC1', 'a', 'b');
  await pass(0);
  expect(platform.stored).toEqual([
    { ...weighing('FC1'), event_id: 'e1', occurred_at: '2026-11-23T04:00:00.000Z', warehouse_code: 'SZ01', photo_ids: ['ph_1', 'ph_2'] },
  ]);
  expect([store.reports.size, store.photos.size]).toEqual([0, 0]);
});

test('two minutes without a network lose nothing, double nothing and keep the order', async () => {
  run();
  platform.failure = new ApiFailure('offline');
  for (let parcel = 1; parcel <= 20; parcel += 1) {
    await weighed(`FC${parcel}`, `photo-${parcel}`);
    await pass(6000);
  }
  expect(platform.stored).toEqual([]);
  expect(queue.reports).toHaveLength(20);
  platform.failure = undefined;
  await pass(40_000);
  expect(platform.stored.map(({ forecast_no }) => forecast_no)).toEqual(Array.from({ length: 20 }, (_, index) => `FC${index + 1}`));
  expect(platform.stored.map(({ occurred_at }) => occurred_at)).toEqual(
    Array.from({ length: 20 }, (_, index) => new Date(Date.parse('2026-11-23T04:00:00Z') + index * 6000).toISOString()),
  );
  expect([store.reports.size, store.photos.size, platform.photos.size]).toEqual([0, 0, 20]);
});

test('waits between tries grow to half a minute; the return of the network ends them', async () => {
  platform.failure = new ApiFailure('timeout');
  const sender = run();
  await weighed('FC1');
  await pass(150_000);
  const waits = platform.calls.slice(1).map((at, index) => at - (platform.calls[index] ?? 0));
  expect(waits.slice(0, 6)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
  expect(Math.max(...waits)).toBe(30_000);
  platform.failure = undefined;
  sender.wake();
  await pass(0);
  expect(platform.stored).toHaveLength(1);
});

test('a wait that the platform asks for is kept', async () => {
  platform.failure = new ApiFailure('42901', { retryAfterSeconds: 7 });
  run();
  await weighed('FC1');
  await pass(6900);
  expect(platform.calls).toHaveLength(1);
  await pass(200);
  expect(platform.calls).toHaveLength(2);
});

test('a response that is lost doubles nothing', async () => {
  platform.losesResponses = true;
  run();
  await weighed('FC1', 'a');
  await pass(10_000);
  platform.losesResponses = false;
  await pass(60_000);
  expect(platform.stored).toHaveLength(1);
  expect(platform.stored[0]).toMatchObject({ event_id: 'e1', photo_ids: ['ph_1'] });
  expect(platform.photos.size).toBe(1);
});

test('a page that is loaded anew goes on where the last one stopped, under the same ids', async () => {
  platform.failure = new ApiFailure('offline');
  run();
  await weighed('FC1', 'a');
  await weighed('FC2');
  await pass(3000);
  gone.abort();
  gone = new AbortController();
  platform.failure = undefined;
  const again = await openQueue();
  expect(again.reports.map(({ stamp }) => stamp.event_id)).toEqual(['e1', 'e2']);
  run(again);
  await pass(0);
  expect(platform.stored.map(({ event_id }) => event_id)).toEqual(['e1', 'e2']);
});

test('another warehouse on the same device sees and sends none of it', async () => {
  await weighed('FC1');
  const other = await openQueue('HK01');
  run(other);
  await pass(0);
  expect([other.reports, platform.stored]).toEqual([[], []]);
  expect(queue.reports).toHaveLength(1);
});

describe('a report that is refused', () => {
  beforeEach(() => {
    platform.rejects = (event) => ('weight_kg' in event && event.weight_kg === 1 && event.forecast_no === 'FC1' ? 'wrong' : undefined);
  });

  test('does not block the others, and says why', async () => {
    run();
    await weighed('FC1', 'a');
    await weighed('FC2');
    await pass(0);
    expect(platform.stored.map(({ forecast_no }) => forecast_no)).toEqual(['FC2']);
    expect(queue.reports).toMatchObject([{ fault: { code: '42201', message: 'wrong' } }]);
  });

  test('goes again under its id once it is fixed', async () => {
    run();
    await weighed('FC1');
    await pass(0);
    const [report] = queue.reports;
    if (report !== undefined) await queue.fix(report, { ...weighing('FC1'), weight_kg: 2 });
    await pass(0);
    expect(platform.stored).toMatchObject([{ event_id: 'e1', weight_kg: 2 }]);
    expect(queue.reports).toEqual([]);
  });

  test('is forgotten with its photos when it is dropped', async () => {
    run();
    await weighed('FC1', 'a');
    await pass(0);
    const [report] = queue.reports;
    if (report !== undefined) await queue.drop(report);
    expect([store.reports.size, store.photos.size]).toEqual([0, 0]);
  });

  test('as a whole call is found among the others', async () => {
    gone.abort();
    await Promise.all(['FC1', 'FC2', 'FC3'].map((number) => weighed(number)));
    const report = platform.report.bind(platform);
    platform.report = async (events) => {
      if (events.some(({ forecast_no }) => forecast_no === 'FC2')) throw new ApiFailure('40001', { detail: 'unreadable' });
      return report(events);
    };
    gone = new AbortController();
    run();
    await pass(0);
    expect(platform.stored.map(({ forecast_no }) => forecast_no)).toEqual(['FC3']);
    expect(queue.reports.map(({ draft, fault }) => [draft.forecast_no, fault?.code])).toEqual([
      ['FC1', '42201'],
      ['FC2', '40001'],
    ]);
  });

  test('for a photo that the device has lost says so', async () => {
    await weighed('FC2', 'a');
    store.photos.clear();
    run();
    await pass(0);
    expect(queue.reports).toMatchObject([{ fault: { code: PHOTO_LOST } }]);
    const [report] = queue.reports;
    if (report !== undefined) await queue.fix(report, report.draft, false);
    await pass(0);
    expect(platform.stored).toMatchObject([{ forecast_no: 'FC2' }]);
  });
});

describe('a store of the device that fails', () => {
  const aborted = () => new DOMException('The transaction was aborted', 'AbortError');

  test.each(['remove', 'list', 'photo', 'replace'] as const)(
    'in `%s` is reported, and what waits is sent once it works again',
    async (method) => {
      await weighed('FC1', 'a');
      const works = store[method];
      Object.assign(store, { [method]: () => Promise.reject(aborted()) });
      run();
      await pass(5000);
      expect(storeWorks).toEqual([false]);
      Object.assign(store, { [method]: works });
      await pass(30_000);
      expect(storeWorks).toEqual([false, true]);
      await weighed('FC2');
      await pass(0);
      expect(platform.stored.map(({ forecast_no }) => forecast_no)).toEqual(['FC1', 'FC2']);
      expect([queue.reports, store.reports.size, platform.photos.size]).toEqual([[], 0, 1]);
    },
  );

  test('is tried again after the waits of the network', async () => {
    await weighed('FC1');
    store.remove = () => Promise.reject(aborted());
    run();
    await pass(8000);
    expect(platform.calls.map((at) => at - (platform.calls[0] ?? 0))).toEqual([0, 1000, 3000, 7000]);
  });

  test('while a refused report is set aside does not end the sending', async () => {
    platform.rejects = () => 'wrong';
    await weighed('FC1');
    const { replace } = store;
    store.replace = () => Promise.reject(aborted());
    run();
    await pass(0);
    store.replace = replace;
    await pass(2000);
    expect(queue.reports).toMatchObject([{ fault: { message: 'wrong' } }]);
  });
});

test('a key that may not report stops the sending, and what waits stays', async () => {
  platform.failure = new ApiFailure('40301', { detail: 'scope warehouse:write' });
  run();
  await weighed('FC1');
  await pass(120_000);
  expect(stopped?.code).toBe('40301');
  expect([platform.calls.length, queue.reports.length]).toEqual([1, 1]);
});

test('a warning of the platform is reported with its report', async () => {
  run();
  await queue.add({ title: 'SF1', draft: { type: 'arrival', express_no: 'SF1234' }, photos: [] });
  await pass(0);
  expect(warnings).toMatchObject([{ rule: 'no_forecast', report: { title: 'SF1' } }]);
});
