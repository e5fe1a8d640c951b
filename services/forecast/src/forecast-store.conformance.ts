import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import type { Correction } from './domain/correction.ts';
import { initialProgress } from './domain/forecast.ts';
import type { ChangeOutcome, CorrectionDecision, Decision, ForecastStore, InsertOutcome, NewForecast, StoredForecast } from './ports.ts';

/** What the stores under test show of an id: far from what they count. */
export const shownIdOf = (forecastId: number): number => 1_000_000 + forecastId;

/** A store under test. */
export interface OpenStore {
  readonly store: ForecastStore;
  /** Values of the messages in the outbox, in the order of their writes. */
  outbox(): Promise<string[]>;
  close(): Promise<void>;
}

const message = (value: string): EncodedMessage => ({ topic: 't', key: 'k', value });

function forecast(over: Partial<NewForecast> & { readonly no: string }): NewForecast {
  const { no, ...rest } = over;
  return {
    tenantId: 'tnt_a',
    forecastNo: no,
    poNumber: `PO-${no}`,
    forecastType: 2,
    warehouseCode: 'WH1',
    dueDate: null,
    itemCount: rest.claims?.length ?? 1,
    status: 1,
    contentHash: `hash of ${no}`,
    createdAt: 1000,
    updatedAt: 1000,
    progress: initialProgress(1000),
    content: JSON.stringify({ no, items: (rest.claims ?? []).map((tracking_number) => ({ tracking_number })) }),
    claims: [],
    ...rest,
  };
}

/** What every store of forecasts must do, whatever it is made of. `openStore` gives an empty one. */
export function describeForecastStore(name: string, openStore: () => Promise<OpenStore>): void {
  describe(`forecast store over ${name}`, () => {
    let open: OpenStore;
    let store: ForecastStore;
    beforeEach(async () => {
      open = await openStore();
      store = open.store;
    });
    afterEach(() => open.close());

    const insert = (over: Parameters<typeof forecast>[0], messages: string[] = []): Promise<InsertOutcome> =>
      store.insert(forecast(over), () => messages.map(message));
    const decision = (over: Partial<Decision> = {}): Decision => ({
      status: 2,
      progress: initialProgress(5),
      updatedAt: 2000,
      messages: [],
      ...over,
    });
    const change = (no: string, over: Partial<Decision>, eventId: string | null = null, tenantId = 'tnt_a'): Promise<ChangeOutcome> =>
      store.change(tenantId, no, eventId === null ? null : { eventId, type: 'test' }, () => decision(over));

    describe('insert', () => {
      test('keeps everything and its messages, which know the id', async () => {
        const candidate = forecast({ no: 'F1', dueDate: '2026-12-24', content: '{"ä":"中\\u0000"}' });
        const outcome = await store.insert(candidate, (id) => [message(`id ${id}`), message('second')]);
        expect(outcome).toEqual({ kind: 'inserted', forecastId: expect.any(Number) });
        const forecastId = (outcome as { forecastId: number }).forecastId;
        const { content, claims: _, ...record } = candidate;
        const stored = { ...record, forecastId, shownId: shownIdOf(forecastId), contentVersion: 1 };
        expect(await store.findByPoNumber('tnt_a', 'PO-F1')).toEqual(stored);
        expect(await store.readByPoNumber('tnt_a', 'PO-F1')).toEqual({ record: stored, content, corrections: [] });
        expect(await store.readByForecastNo('tnt_a', 'F1')).toEqual({ record: stored, content, corrections: [] });
        expect(await store.readByForecastNo('tnt_b', 'F1')).toBeUndefined();
        expect(await store.readContent('tnt_a', 'F1')).toEqual({ content, version: 1 });
        expect(await open.outbox()).toEqual([`id ${forecastId}`, 'second']);
      });

      test('gives rising ids', async () => {
        const ids: number[] = [];
        for (const no of ['F1', 'F2', 'F3']) ids.push(((await insert({ no })) as { forecastId: number }).forecastId);
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
        expect(ids.every(Number.isSafeInteger)).toBe(true);
      });

      test('refuses a po_number that is held, and says by whom', async () => {
        await insert({ no: 'F1', poNumber: 'PO' }, ['one']);
        const outcome = await insert({ no: 'F2', poNumber: 'PO' }, ['two']);
        expect(outcome).toMatchObject({ kind: 'taken', holder: { forecastNo: 'F1', contentHash: 'hash of F1' }, takenNumbers: [] });
        expect(await open.outbox()).toEqual(['one']);
        expect((await insert({ no: 'F2', poNumber: 'po' })).kind).toBe('inserted');
        expect((await insert({ no: 'F3', poNumber: 'PO', tenantId: 'tnt_b' })).kind).toBe('inserted');
      });

      test('refuses claimed numbers, in the order of the claims, and leaves nothing behind', async () => {
        await insert({ no: 'F1', claims: ['A', 'B'] });
        await insert({ no: 'F2', claims: ['C'] });
        const outcome = await insert({ no: 'F3', claims: ['C', 'X', 'B'] }, ['lost']);
        expect(outcome).toEqual({ kind: 'taken', holder: undefined, takenNumbers: ['C', 'B'] });
        expect(await store.findByPoNumber('tnt_a', 'PO-F3')).toBeUndefined();
        expect(await store.readContent('tnt_a', 'F3')).toBeUndefined();
        expect(await open.outbox()).toEqual([]);
        expect((await insert({ no: 'F4', claims: ['X'] })).kind).toBe('inserted');
        expect((await insert({ no: 'F5', claims: ['A'], tenantId: 'tnt_b' })).kind).toBe('inserted');
      });

      test('does not count the numbers of the holder of the po_number against itself', async () => {
        await insert({ no: 'F1', poNumber: 'PO', claims: ['A'] });
        await insert({ no: 'F2', claims: ['B'] });
        const outcome = await insert({ no: 'F3', poNumber: 'PO', claims: ['A', 'B'] });
        expect(outcome).toMatchObject({ kind: 'taken', holder: { forecastNo: 'F1' }, takenNumbers: ['B'] });
      });

      test('tells a forecast_no that exists', async () => {
        await insert({ no: 'F1' });
        expect(await insert({ no: 'F1', poNumber: 'PO-2' })).toEqual({ kind: 'forecast-no-taken' });
      });

      test('lets one of many through at the same time', async () => {
        const samePo = await Promise.all([1, 2, 3, 4, 5].map((n) => insert({ no: `P${n}`, poNumber: 'PO' })));
        expect(samePo.filter(({ kind }) => kind === 'inserted')).toHaveLength(1);
        const sameNumber = await Promise.all([1, 2, 3, 4, 5].map((n) => insert({ no: `N${n}`, claims: ['A', `own-${n}`] })));
        expect(sameNumber.filter(({ kind }) => kind === 'inserted')).toHaveLength(1);
      });

      test('takes 2000 claims', async () => {
        const claims = Array.from({ length: 2000 }, (_, index) => `N${index}`);
        expect((await insert({ no: 'F1', claims })).kind).toBe('inserted');
        expect(await insert({ no: 'F2', claims: ['N1999'] })).toMatchObject({ takenNumbers: ['N1999'] });
      });
    });

    describe('change', () => {
      test('writes status, progress and messages together', async () => {
        await insert({ no: 'F1' }, ['accepted']);
        const progress = {
          ...initialProgress(7),
          dispatch: { carrierCode: 'c', trackingNumber: 'T', dispatchedAt: 'x', dispatchedAtMs: 1 },
        };
        const outcome = await change('F1', { status: 5, progress, updatedAt: 3000, messages: [message('a'), message('b')] }, 'e1');
        expect(outcome).toBe('changed');
        expect(await store.findByPoNumber('tnt_a', 'PO-F1')).toMatchObject({ status: 5, progress, updatedAt: 3000, createdAt: 1000 });
        expect(await open.outbox()).toEqual(['accepted', 'a', 'b']);
      });

      test('keeps what was counted beside the progress, until another count replaces it', async () => {
        const first = [{ skuCode: 'A', quantity: 1 }];
        const second = [
          { skuCode: '中"', quantity: 0 },
          { skuCode: 'B', quantity: 7 },
        ];
        await insert({ no: 'F1' });
        await insert({ no: 'F2' });
        expect(await store.readReceivedItems('tnt_a', 'F1')).toEqual([]);
        await change('F1', { receivedItems: first }, 'e1');
        await change('F1', {}, 'e2');
        expect(await store.readReceivedItems('tnt_a', 'F1')).toEqual(first);
        await change('F1', { receivedItems: second }, 'e3');
        await change('F1', { receivedItems: first }, 'e1');
        expect(await store.readReceivedItems('tnt_a', 'F1')).toEqual(second);
        expect(await store.readReceivedItems('tnt_a', 'F2')).toEqual([]);
        expect(await store.readReceivedItems('tnt_b', 'F1')).toEqual([]);
      });

      test('decides on the state as it is', async () => {
        await insert({ no: 'F1' });
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            store.change('tnt_a', 'F1', { eventId: `e${index}`, type: 'test' }, (current) =>
              decision({
                progress: { ...current.progress, history: [...current.progress.history, { status: 2, at: index, reason: `e${index}` }] },
              }),
            ),
          ),
        );
        expect((await store.findByPoNumber('tnt_a', 'PO-F1'))?.progress.history).toHaveLength(11);
      });

      test('applies an event once per forecast', async () => {
        await insert({ no: 'F1' });
        await insert({ no: 'F2' });
        const outcomes = await Promise.all([1, 2, 3].map(() => change('F1', { messages: [message('x')] }, 'e1')));
        expect(outcomes.sort()).toEqual(['changed', 'repeated', 'repeated']);
        expect(await change('F1', { status: 6 }, 'e1')).toBe('repeated');
        expect((await store.findByPoNumber('tnt_a', 'PO-F1'))?.status).toBe(2);
        expect(await open.outbox()).toEqual(['x']);
        expect(await change('F2', {}, 'e1')).toBe('changed');
      });

      test('writes nothing when the decision throws, and the event may come again', async () => {
        await insert({ no: 'F1' });
        const failing = store.change('tnt_a', 'F1', { eventId: 'e1', type: 'test' }, () => {
          throw new AppError('40902');
        });
        await expect(failing).rejects.toMatchObject({ code: '40902' });
        expect(await change('F1', {}, 'e1')).toBe('changed');
      });

      test('knows only the forecasts of the tenant', async () => {
        await insert({ no: 'F1' });
        expect(await change('F1', {}, 'e1', 'tnt_b')).toBe('unknown');
        expect(await change('F9', {}, 'e1')).toBe('unknown');
        expect((await store.findByPoNumber('tnt_a', 'PO-F1'))?.status).toBe(1);
      });

      test('to cancelled frees po_number and claims', async () => {
        await insert({ no: 'F1', poNumber: 'PO', claims: ['A', 'B'] });
        await insert({ no: 'F0', claims: ['C'] });
        await change('F1', { status: 7 });
        expect((await insert({ no: 'F2', poNumber: 'PO', claims: ['A'] })).kind).toBe('inserted');
        await change('F2', { status: 7 });
        expect((await insert({ no: 'F3', poNumber: 'PO', claims: ['B'] })).kind).toBe('inserted');
        expect(await insert({ no: 'F4', claims: ['C'] })).toMatchObject({ takenNumbers: ['C'] });
      });

      test('to completed frees the claims and keeps the po_number', async () => {
        await insert({ no: 'F1', poNumber: 'PO', claims: ['A'] });
        await change('F1', { status: 6 });
        expect((await insert({ no: 'F2', claims: ['A'] })).kind).toBe('inserted');
        expect(await insert({ no: 'F3', poNumber: 'PO' })).toMatchObject({ kind: 'taken', holder: { forecastNo: 'F1' } });
        // A later report on the first one does not touch the claim that is another's by now.
        await change('F1', { status: 6 }, 'late');
        expect(await insert({ no: 'F4', claims: ['A'] })).toMatchObject({ takenNumbers: ['A'] });
      });

      test('to another status keeps both', async () => {
        await insert({ no: 'F1', poNumber: 'PO', claims: ['A'] });
        await change('F1', { status: 5 });
        expect(await insert({ no: 'F2', poNumber: 'PO', claims: ['A'] })).toMatchObject({ holder: { forecastNo: 'F1' }, takenNumbers: [] });
        expect(await insert({ no: 'F3', claims: ['A'] })).toMatchObject({ takenNumbers: ['A'] });
      });
    });

    describe('correct', () => {
      const entry = (version: number): Correction => ({
        version,
        at: 2000,
        keyId: 'key_1',
        changes: [{ field: 'due_date', from: null, to: '2026-12-24' }],
        hasMoreChanges: false,
        request: null,
      });
      const corrected = (stored: StoredForecast, over: Partial<CorrectionDecision> = {}): CorrectionDecision => {
        const contentVersion = stored.record.contentVersion + 1;
        return {
          content: JSON.stringify({ contentVersion, items: (over.claims ?? []).map((tracking_number) => ({ tracking_number })) }),
          contentHash: `hash ${contentVersion}`,
          contentVersion,
          corrections: [...stored.corrections, entry(contentVersion)],
          warehouseCode: 'WH2',
          dueDate: '2026-12-24',
          itemCount: 3,
          claims: null,
          updatedAt: 2000,
          messages: [],
          ...over,
        };
      };
      const correct = (no: string, over: Partial<CorrectionDecision> = {}, tenantId = 'tnt_a') =>
        store.correct(tenantId, no, (stored) => corrected(stored, over));

      test('writes content, entry and messages together, and leaves the rest', async () => {
        await insert({ no: 'F1', progress: initialProgress(7) }, ['accepted']);
        await change('F1', { status: 3, progress: initialProgress(8) });
        expect(await correct('F1', { content: '{"ä":1}', messages: [message('a'), message('b')] })).toEqual({ kind: 'corrected' });
        const found = await store.readByPoNumber('tnt_a', 'PO-F1');
        expect(found).toMatchObject({ content: '{"ä":1}', corrections: [entry(2)] });
        expect(found?.record).toMatchObject({
          contentVersion: 2,
          contentHash: 'hash 2',
          warehouseCode: 'WH2',
          dueDate: '2026-12-24',
          itemCount: 3,
          status: 3,
          progress: initialProgress(8),
          createdAt: 1000,
          updatedAt: 2000,
        });
        expect(await store.findByPoNumber('tnt_a', 'PO-F1')).toEqual(found?.record);
        expect((await store.list('tnt_a', { limit: 1 }))[0]).toMatchObject({ contentVersion: 2, warehouseCode: 'WH2', itemCount: 3 });
        expect(await store.readContent('tnt_a', 'F1')).toEqual({ content: '{"ä":1}', version: 2 });
        expect(await open.outbox()).toEqual(['accepted', 'a', 'b']);
        expect(await insert({ no: 'F2', poNumber: 'PO-F1' })).toMatchObject({ holder: { contentHash: 'hash 2', contentVersion: 2 } });
      });

      test('decides on the forecast as it is, one correction after the other', async () => {
        await insert({ no: 'F1' });
        await Promise.all(Array.from({ length: 10 }, () => correct('F1')));
        const found = await store.readByPoNumber('tnt_a', 'PO-F1');
        expect(found?.record.contentVersion).toBe(11);
        expect(found?.corrections.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      });

      test('and other changes lose nothing of each other', async () => {
        await insert({ no: 'F1' });
        const grow = (index: number) =>
          store.change('tnt_a', 'F1', { eventId: `e${index}`, type: 'test' }, ({ progress }) =>
            decision({ progress: { ...progress, history: [...progress.history, { status: 2, at: index, reason: 'x' }] } }),
          );
        await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? grow(index) : correct('F1'))));
        const found = await store.findByPoNumber('tnt_a', 'PO-F1');
        expect(found?.progress.history).toHaveLength(6);
        expect(found?.contentVersion).toBe(6);
      });

      test('writes nothing when nothing is decided, or the decision throws', async () => {
        await insert({ no: 'F1', claims: ['A'] });
        const before = await store.readByPoNumber('tnt_a', 'PO-F1');
        expect(await store.correct('tnt_a', 'F1', () => undefined)).toEqual({ kind: 'unchanged' });
        const failing = store.correct('tnt_a', 'F1', () => {
          throw new AppError('40902');
        });
        await expect(failing).rejects.toMatchObject({ code: '40902' });
        expect(await store.readByPoNumber('tnt_a', 'PO-F1')).toEqual(before);
      });

      test('knows only the forecasts of the tenant', async () => {
        await insert({ no: 'F1' });
        expect(await correct('F1', {}, 'tnt_b')).toEqual({ kind: 'unknown' });
        expect(await correct('F9')).toEqual({ kind: 'unknown' });
        expect((await store.findByPoNumber('tnt_a', 'PO-F1'))?.contentVersion).toBe(1);
      });

      test('frees what it no longer claims, and holds what it claims', async () => {
        await insert({ no: 'F1', claims: ['A', 'B'] });
        expect(await correct('F1', { claims: ['B', 'C'] })).toEqual({ kind: 'corrected' });
        expect((await insert({ no: 'F2', claims: ['A'] })).kind).toBe('inserted');
        expect(await insert({ no: 'F3', claims: ['B', 'C', 'D'] })).toMatchObject({ takenNumbers: ['B', 'C'] });
        // A correction that leaves the numbers as they are leaves the claims.
        await correct('F1', { content: JSON.stringify({ items: [{ tracking_number: 'B' }, { tracking_number: 'C' }] }) });
        expect(await insert({ no: 'F3', claims: ['C'] })).toMatchObject({ takenNumbers: ['C'] });
        await correct('F1', { claims: [] });
        expect((await insert({ no: 'F3', claims: ['B', 'C'] })).kind).toBe('inserted');
        await correct('F1', { claims: ['E'] });
        await change('F1', { status: 7 });
        expect((await insert({ no: 'F4', claims: ['E'] })).kind).toBe('inserted');
      });

      test('refuses claims that others hold, in their order, and writes nothing', async () => {
        await insert({ no: 'F1', claims: ['A', 'B'] });
        await insert({ no: 'F2', claims: ['$C', 'D'] });
        const before = await store.readByPoNumber('tnt_a', 'PO-F1');
        expect(await correct('F1', { claims: ['D', 'X', '$C', 'B'], messages: [message('lost')] })).toEqual({
          kind: 'taken',
          takenNumbers: ['D', '$C'],
        });
        expect(await store.readByPoNumber('tnt_a', 'PO-F1')).toEqual(before);
        expect(await open.outbox()).toEqual([]);
        expect((await insert({ no: 'F3', claims: ['X'] })).kind).toBe('inserted');
        expect(await insert({ no: 'F4', claims: ['A'] })).toMatchObject({ takenNumbers: ['A'] });
        await insert({ no: 'F5', claims: ['A'], tenantId: 'tnt_b' });
        expect(await correct('F5', { claims: ['B'] }, 'tnt_b')).toEqual({ kind: 'corrected' });
      });

      test('lets one of many have a number', async () => {
        for (const n of [1, 2, 3, 4, 5]) await insert({ no: `F${n}`, claims: [`own-${n}`] });
        const outcomes = await Promise.all([1, 2, 3, 4, 5].map((n) => correct(`F${n}`, { claims: ['A'] })));
        expect(outcomes.filter(({ kind }) => kind === 'corrected')).toHaveLength(1);
        expect(outcomes.filter(({ kind }) => kind === 'taken')).toHaveLength(4);
      });

      test('takes 1000 other claims', async () => {
        const claims = (letter: string) => Array.from({ length: 1000 }, (_, index) => `${letter}${index}`);
        await insert({ no: 'F1', claims: claims('N') });
        expect(await correct('F1', { claims: claims('M') })).toEqual({ kind: 'corrected' });
        expect((await insert({ no: 'F2', claims: ['N999'] })).kind).toBe('inserted');
        expect(await insert({ no: 'F3', claims: ['M999'] })).toMatchObject({ takenNumbers: ['M999'] });
      });
    });

    describe('findByPoNumber', () => {
      test('prefers the live forecast, then the newest cancelled one', async () => {
        await insert({ no: 'F1', poNumber: 'PO' });
        await change('F1', { status: 7 });
        await insert({ no: 'F2', poNumber: 'PO' });
        await change('F2', { status: 7 });
        expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F2');
        await insert({ no: 'F3', poNumber: 'PO' });
        expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F3');
        // An event for a cancelled one does not bring it back.
        await change('F1', { status: 7 }, 'late');
        expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F3');
        expect((await store.readByPoNumber('tnt_a', 'PO'))?.record.forecastNo).toBe('F3');
        expect(await store.findByPoNumber('tnt_b', 'PO')).toBeUndefined();
        expect(await store.readByPoNumber('tnt_b', 'PO')).toBeUndefined();
      });
    });

    describe('list', () => {
      const numbers = async (query: Parameters<ForecastStore['list']>[1]) =>
        (await store.list('tnt_a', query)).map((row) => row.forecastNo);
      beforeEach(async () => {
        for (const [no, createdAt] of [
          ['F1', 1000],
          ['F2', 3000],
          ['F3', 2000],
          ['F4', 2000],
        ] as const)
          await insert({ no, createdAt });
        await insert({ no: 'X1', tenantId: 'tnt_b' });
        await change('F3', { status: 7 });
      });

      test('is sorted by acceptance, then by id, newest first, and shows what a page needs', async () => {
        expect(await numbers({ limit: 10 })).toEqual(['F2', 'F4', 'F3', 'F1']);
        const { content: _c, claims: _l, contentHash: _h, progress: _p, ...listed } = forecast({ no: 'F2', createdAt: 3000 });
        expect((await store.list('tnt_a', { limit: 1 }))[0]).toEqual({ ...listed, contentVersion: 1, forecastId: expect.any(Number) });
      });

      test('filters', async () => {
        expect(await numbers({ limit: 10, status: 7 })).toEqual(['F3']);
        expect(await numbers({ limit: 10, poNumber: 'PO-F1' })).toEqual(['F1']);
        expect(await numbers({ limit: 10, createdFrom: 2000 })).toEqual(['F2', 'F4', 'F3']);
        expect(await numbers({ limit: 10, createdTo: 2000 })).toEqual(['F1']);
        expect(await numbers({ limit: 10, createdFrom: 2000, createdTo: 3000, status: 1 })).toEqual(['F4']);
      });

      test('goes on behind a position, also between equal instants', async () => {
        const seen: string[] = [];
        let after: { createdAt: number; forecastId: number } | undefined;
        for (;;) {
          const [row] = await store.list('tnt_a', { limit: 1, ...(after && { after }) });
          if (!row) break;
          seen.push(row.forecastNo);
          expect(seen.length).toBeLessThanOrEqual(4);
          after = row;
        }
        expect(seen).toEqual(['F2', 'F4', 'F3', 'F1']);
      });
    });

    describe('scan', () => {
      test('goes through the forecasts of all tenants once, in pages', async () => {
        for (const no of ['F3', 'F1', 'F2']) await insert({ no });
        await insert({ no: 'F1', tenantId: 'tnt_b' });
        await change('F1', { status: 7, updatedAt: 5000 });
        const seen: string[] = [];
        let after: string | null = null;
        for (let pages = 0; pages < 5; pages += 1) {
          const page: Awaited<ReturnType<ForecastStore['scan']>> = await store.scan(after, 3);
          seen.push(...page.map(({ tenantId, forecastNo, status, updatedAt }) => `${tenantId} ${forecastNo} ${status} ${updatedAt}`));
          after = page.at(-1)?.place ?? null;
          if (page.length < 3) break;
        }
        expect(seen.toSorted()).toEqual(['tnt_a F1 7 5000', 'tnt_a F2 1 1000', 'tnt_a F3 1 1000', 'tnt_b F1 1 1000']);
        await expect(store.scan('no place', 1)).resolves.toEqual(expect.any(Array));
      });
    });

    test('answers the check', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
