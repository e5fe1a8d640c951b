import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { CheckedStore } from '../checked-store.ts';
import { compareValues } from '../collection.ts';
import type { StoreDriver } from '../driver.ts';
import type { Outcome, Store, Stored, Write } from '../store.ts';
import { MemoryStoreDriver } from './memory-store-driver.ts';
import { errands, shelves } from './shelf.ts';

/** A database for a suite. */
export interface DriverUnderTest {
  readonly driver: StoreDriver;
  /** The messages that wait to be published, in the order of the writes of each key. */
  messages(): Promise<readonly { readonly key: string; readonly value: string }[]>;
  /** Removes all documents. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

type ShelfDocument = NonNullable<(typeof shelves)['document']>;

const TENANTS = ['tenant-a', 'tenant-b'] as const;
const shelf = (shelfNo: string, more: Partial<ShelfDocument> = {}): ShelfDocument => ({
  tenantId: 'tenant-a',
  shelfNo,
  createdAt: 1,
  ...more,
});
const kinds = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ kind }) => kind);
const numbers = (items: readonly Stored<ShelfDocument>[]): string[] => items.map(({ value }) => value.shelfNo);

/** The contract of a driver of the store. */
export function describeStore(name: string, open: () => Promise<DriverUnderTest>): void {
  describe(`store over ${name}`, () => {
    let opened: DriverUnderTest;
    let store: Store;
    beforeAll(async () => {
      opened = await open();
      store = new CheckedStore(opened.driver);
    });
    afterEach(() => opened.clear());
    afterAll(() => opened.close());

    const put = async (...values: ShelfDocument[]): Promise<Stored<ShelfDocument>[]> => {
      const outcomes = await store.apply(values.map((value) => ({ in: shelves, insert: value })));
      expect(kinds(outcomes)).toEqual(values.map(() => 'written'));
      return values.map((value) => ({ value, version: 1 }));
    };
    const read = (shelfNo: string) => store.get(shelves, ['tenant-a', shelfNo], { with: ['content'] });

    test('a document comes back as it was written', async () => {
      const value = shelf('1 % #x', {
        barcode: 'ä\u{1F600}',
        claims: ['b', 'a'],
        note: null,
        isOpen: false,
        status: 9_007_199_254_740_991,
        size: { width: -0.5, names: ['', 'x'] },
        labels: { $a: 1, 'b.c': { $d: [null] } },
        content: 'x'.repeat(20_000),
      });
      await put(value);
      expect(await read('1 % #x')).toEqual({ value, version: 1 });
      const { content: _, ...light } = value;
      expect(await store.get(shelves, ['tenant-a', '1 % #x'])).toEqual({ value: light, version: 1 });
    });

    test('refuses a document that does not fit its schema, whichever write brings it', async () => {
      const wrong = { ...shelf('1'), colour: 'red' };
      await expect(store.apply([{ in: shelves, insert: wrong }])).rejects.toThrow('does not fit its schema');
      await expect(store.apply([{ in: shelves, insert: shelf('1', { claims: [] }) }])).rejects.toThrow('empty array');
      const [stored] = await put(shelf('1'));
      const set = { createdAt: 'yesterday' } as unknown as Partial<ShelfDocument>;
      for (const one of [set, { createdAt: undefined } as unknown as Partial<ShelfDocument>, { colour: 'red' }])
        await expect(store.apply([{ in: shelves, patch: stored as Stored, set: one }])).rejects.toThrow('does not fit its schema');
      expect(await read('1')).toEqual(stored);
    });

    test('a write onto an older version is lost, and brings the document as it is', async () => {
      const [stored] = (await put(shelf('1', { content: 'text' }))) as [Stored<ShelfDocument>];
      expect(await store.apply([{ in: shelves, patch: stored, set: { status: 1, note: undefined } }])).toEqual([
        { kind: 'written', version: 2 },
      ]);
      const current = { value: shelf('1', { status: 1 }), version: 2 };
      expect(await store.apply([{ in: shelves, patch: stored, set: { status: 2 } }])).toEqual([{ kind: 'lost', current }]);
      expect(await store.apply([{ in: shelves, delete: stored }])).toEqual([{ kind: 'lost', current }]);
      expect(await read('1')).toEqual({ value: shelf('1', { status: 1, content: 'text' }), version: 2 });
      expect(kinds(await store.apply([{ in: shelves, delete: current }]))).toEqual(['written']);
      expect(await store.apply([{ in: shelves, delete: current }])).toEqual([{ kind: 'lost', current: undefined }]);
    });

    test('says of each of many writes what became of it', async () => {
      const stored = await put(shelf('1'), shelf('2'), shelf('3', { barcode: 'x' }), shelf('4'));
      const [one, two, , four] = stored as [Stored<ShelfDocument>, Stored<ShelfDocument>, Stored<ShelfDocument>, Stored<ShelfDocument>];
      await store.apply([{ in: shelves, patch: two, set: { status: 7 } }]);
      const outcomes = await store.apply([
        { in: shelves, patch: one, set: { status: 1 } },
        { in: shelves, patch: two, set: { status: 2 } },
        { in: shelves, insert: shelf('3') },
        { in: shelves, insert: shelf('5', { barcode: 'x' }) },
        { in: shelves, delete: four },
        { in: shelves, insert: shelf('6') },
      ]);
      expect(outcomes).toEqual([
        { kind: 'written', version: 2 },
        { kind: 'lost', current: { value: shelf('2', { status: 7 }), version: 2 } },
        { kind: 'taken', index: 'key', holder: { value: shelf('3', { barcode: 'x' }), version: 1 } },
        { kind: 'taken', index: 'barcode', holder: { value: shelf('3', { barcode: 'x' }), version: 1 } },
        { kind: 'written', version: 2 },
        { kind: 'written', version: 1 },
      ]);
    });

    test('an element of an array belongs to one document', async () => {
      const [one] = (await put(shelf('1', { claims: ['a', 'b'] }), shelf('2', { claims: ['c'] }))) as [Stored<ShelfDocument>];
      const taken = await store.apply([{ in: shelves, insert: shelf('3', { claims: ['d', 'b'] }) }]);
      expect(taken).toEqual([{ kind: 'taken', index: 'claims', holder: { value: shelf('1', { claims: ['a', 'b'] }), version: 1 } }]);
      expect(kinds(await store.apply([{ in: shelves, patch: one, set: { claims: ['a'] } }]))).toEqual(['written']);
      expect(kinds(await store.apply([{ in: shelves, insert: shelf('3', { claims: ['d', 'b'] }) }]))).toEqual(['written']);
      // Those of another tenant are its own.
      expect(kinds(await store.apply([{ in: shelves, insert: { ...shelf('3', { claims: ['a'] }), tenantId: 'tenant-b' } }]))).toEqual([
        'written',
      ]);
    });

    test('writes together are made all or none', async () => {
      const [one, two] = (await put(shelf('1'), shelf('2'))) as [Stored<ShelfDocument>, Stored<ShelfDocument>];
      const both = [
        { in: shelves, patch: one, set: { status: 1 } },
        { in: shelves, touch: two },
        { in: shelves, insert: shelf('3') },
      ] as const;
      expect(kinds(await store.apply(both, { together: true }))).toEqual(['written', 'written', 'written']);
      const outcomes = await store.apply(
        [
          { in: shelves, insert: shelf('4') },
          { in: shelves, touch: two },
        ],
        { together: true },
      );
      expect(outcomes).toEqual([{ kind: 'undone' }, { kind: 'lost', current: { value: shelf('2'), version: 2 } }]);
      expect(await read('4')).toBeUndefined();
      const taken = await store.apply(
        [
          { in: shelves, insert: shelf('5') },
          { in: shelves, insert: shelf('3') },
        ],
        { together: true },
      );
      expect(kinds(taken)).toEqual(['undone', 'taken']);
    });

    test('messages go with the write that carries them', async () => {
      const message = (value: string) => ({ topic: 'shelves', key: 'k', value });
      await store.apply([{ in: shelves, insert: shelf('1'), messages: [message('made'), message('named')] }]);
      const stored = (await read('1')) as Stored<ShelfDocument>;
      await store.apply([{ in: shelves, patch: stored, set: { status: 1 }, messages: [message('changed')] }]);
      expect(kinds(await store.apply([{ in: shelves, patch: stored, set: { status: 2 }, messages: [message('lost')] }]))).toEqual(['lost']);
      expect(kinds(await store.apply([{ in: shelves, insert: shelf('1'), messages: [message('taken')] }]))).toEqual(['taken']);
      expect((await opened.messages()).map(({ value }) => value)).toEqual(['made', 'named', 'changed']);
    });

    test('pages of a list hold each document once, in order, also while others come and go', async () => {
      const made = await put(...['5', '3', '1', '4', '2'].map((no) => shelf(no, { createdAt: Math.ceil(Number(no) / 2) })));
      const first = await store.find(shelves.by.newest, { eq: ['tenant-a'], limit: 2 });
      expect(numbers(first.items)).toEqual(['5', '4']);
      await store.apply([{ in: shelves, delete: made[0] as Stored }]);
      await put(shelf('6', { createdAt: 9 }));
      const second = await store.find(shelves.by.newest, { eq: ['tenant-a'], limit: 2, after: first.next as string });
      expect(numbers(second.items)).toEqual(['3', '2']);
      const third = await store.find(shelves.by.newest, { eq: ['tenant-a'], limit: 2, after: second.next as string });
      expect([numbers(third.items), third.next]).toEqual([['1'], null]);
      expect(numbers((await store.find(shelves.by.newest, { eq: ['tenant-a'], limit: 9, backwards: true })).items)).toEqual([
        '1',
        '2',
        '3',
        '4',
        '6',
      ]);
    });

    test('of a bound and a place on one side, a page begins at the one that is further on', async () => {
      await put(...[1, 2, 3, 4].map((no) => shelf(String(no), { createdAt: no, endedAt: no })));
      const scan = jest.spyOn(opened.driver, 'scan');
      const newest = async (to: number, at: number) => {
        const after = store.placeIn(shelves.by.newest, 1, { value: { createdAt: at, shelfNo: String(at) } });
        return numbers((await store.find(shelves.by.newest, { eq: ['tenant-a'], from: 2, to, after, limit: 9 })).items);
      };
      expect([await newest(3, 4), await newest(3, 3), await newest(5, 3)]).toEqual([['2'], ['2'], ['2']]);
      const oldest = async (from: number, at: number) => {
        const after = store.placeIn(shelves.by.ended, 0, { value: { endedAt: at, tenantId: 'tenant-a', shelfNo: String(at) } });
        return numbers((await store.find(shelves.by.ended, { eq: [], from, to: 4, after, limit: 9 })).items);
      };
      expect([await oldest(3, 1), await oldest(2, 2), await oldest(1, 2)]).toEqual([['3'], ['3'], ['3']]);
      const sides = scan.mock.calls.map(([, { from, to, after }]) => [from !== undefined, to !== undefined, after !== undefined]);
      expect(sides.every((given) => given.filter(Boolean).length === 2)).toBe(true);
      scan.mockRestore();
    });

    test('behind the one document that all fields name there is none', async () => {
      const [stored] = (await put(shelf('1', { barcode: 'x' }))) as [Stored<ShelfDocument>];
      const options = { eq: ['tenant-a', 'x'], limit: 9 };
      expect(await store.find(shelves.by.barcode, options)).toEqual({ items: [stored], next: null });
      const after = store.placeIn(shelves.by.barcode, 2, stored);
      expect(await store.find(shelves.by.barcode, { ...options, after })).toEqual({ items: [], next: null });
    });

    test('several values of a field are one list', async () => {
      await put(...[1, 2, 3, 4, 5, 6].map((no) => shelf(String(no), { status: no % 3, createdAt: no })));
      const page = await store.find(shelves.by.status, { eq: ['tenant-a', [0, 2]], limit: 3 });
      expect(numbers(page.items)).toEqual(['6', '5', '3']);
      const rest = await store.find(shelves.by.status, { eq: ['tenant-a', [0, 2]], limit: 3, after: page.next as string });
      expect([numbers(rest.items), rest.next]).toEqual([['2'], null]);
    });

    test('any of several values of a field are one list in the order of the index', async () => {
      const work = (errandNo: number) => ({ in: errands, insert: { errandNo, group: `g${errandNo % 3}`, work: 'w' } });
      await store.apply([6, 1, 5, 2, 4, 3].map(work));
      const asked = { eq: [], any: ['g2', 'g0', 'none'], limit: 3 };
      const first = await store.find(errands.by.group, asked);
      expect(first.items.map(({ value }) => value.errandNo)).toEqual([3, 6, 2]);
      const second = await store.find(errands.by.group, { ...asked, after: first.next as string });
      expect([second.items.map(({ value }) => value.errandNo), second.next]).toEqual([[5], null]);
      const backwards = await store.find(errands.by.group, { ...asked, limit: 9, backwards: true });
      expect(backwards.items.map(({ value }) => value.errandNo)).toEqual([5, 2, 6, 3]);
    });

    test('finds a document once, whichever of several elements its array has', async () => {
      await put(
        shelf('1', { claims: ['a', 'b'], tags: ['s'] }),
        shelf('2', { claims: ['c'], tags: ['s', 't'] }),
        shelf('3', { claims: ['d'] }),
        { ...shelf('4', { claims: ['e'] }), tenantId: 'tenant-b' },
      );
      const of = async (index: (typeof shelves.by)['claims'], any: readonly string[]) =>
        numbers((await store.find(index, { eq: ['tenant-a'], any, limit: 9 })).items).sort();
      expect(await of(shelves.by.claims, ['x', 'b', 'c', 'a', 'e'])).toEqual(['1', '2']);
      expect(await of(shelves.by.tags, ['t', 's'])).toEqual(['1', '2']);
    });

    test('several values of a field come one after the other, each in the order of the rest of the index', async () => {
      await put(...[1, 2, 3, 4].map((no) => shelf(String(no), { status: no % 2, createdAt: no })));
      const asked = { eq: ['tenant-a'], any: [1, 0, 7], limit: 3 };
      const { items, next } = await store.find(shelves.by.status, asked);
      expect(numbers(items)).toEqual(['4', '2', '3']);
      const rest = await store.find(shelves.by.status, { ...asked, after: next as string });
      expect([numbers(rest.items), rest.next]).toEqual([['1'], null]);
      const backwards = await store.find(shelves.by.status, { ...asked, limit: 9, backwards: true });
      expect(numbers(backwards.items)).toEqual(['1', '3', '2', '4']);
      await put({ ...shelf('5', { status: 0, createdAt: 5 }), tenantId: 'tenant-b' });
      const merged = await store.find(shelves.by.status, { ...asked, eq: [['tenant-a', 'tenant-b']], limit: 9 });
      expect(numbers(merged.items)).toEqual(['5', '4', '2', '3', '1']);
    });

    test('of callers at once each gets other errands, and nobody one that is not due', async () => {
      const writes = Array.from({ length: 40 }, (_, no) => ({
        in: errands,
        insert: { errandNo: no, group: `g${no % 2}`, due: no < 30 ? no : 1000, work: 'w' },
      }));
      await store.apply(writes);
      const claims = await Promise.all(
        [1, 2, 3, 4].map(() => store.claimDue(errands.by.due, { group: 'g0', now: 100, until: 500, limit: 2 })),
      );
      const taken = claims.flat().map(({ value }) => value.errandNo);
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.every((no) => no % 2 === 0 && no < 30)).toBe(true);
      const rest = await store.claimDue(errands.by.due, { group: 'g0', now: 100, until: 500, limit: 50 });
      expect(taken.length + rest.length).toBe(15);
      expect(rest.every(({ value, dueAt }) => value.due === 500 && dueAt === value.errandNo)).toBe(true);
      expect(await store.claimDue(errands.by.due, { group: 'g0', now: 499, until: 900, limit: 50 })).toEqual([]);
      // Whoever has it writes onto it; a lease that ended is another's.
      const [mine] = rest as unknown as [Stored<{ errandNo: number; group: string; work: string }>];
      expect(kinds(await store.apply([{ in: errands, patch: mine, set: { due: undefined } as never }]))).toEqual(['written']);
      const again = await store.claimDue(errands.by.any, { now: 500, until: 900, limit: 50 });
      expect(again).toHaveLength(29);
      expect(kinds(await store.apply([{ in: errands, delete: rest[1] as Stored }]))).toEqual(['lost']);
    });

    test('groups, counts and ranges', async () => {
      await put(...[3, 1, 2].map((no) => shelf(String(no), { endedAt: no, status: no % 2, createdAt: no })));
      await put({ ...shelf('9', { endedAt: 5 }), tenantId: 'tenant-b' });
      expect(await store.groups(shelves.by.status, { eq: ['tenant-a'], limit: 5 })).toEqual([
        { group: 0, first: expect.any(Number) },
        { group: 1, first: expect.any(Number) },
      ]);
      expect(await store.count(shelves.by.ended, { eq: [], to: 4, most: 2 })).toEqual({ count: 2, first: 1 });
      expect(await store.deleteRange(shelves.by.ended, { eq: [], to: 3, limit: 9 })).toBe(2);
      expect(await store.count(shelves.by.ended, { eq: [], most: 9 })).toEqual({ count: 2, first: 3 });
      await put(...[4, 5, 6].map((no) => shelf(String(no), { createdAt: no })));
      expect(await store.deleteRange(shelves.by.newest, { eq: ['tenant-a'], to: 6, limit: 2, backwards: true })).toBe(2);
      expect(numbers((await store.find(shelves.by.newest, { eq: ['tenant-a'], limit: 9 })).items)).toEqual(['6', '5']);
    });

    test('many are deleted at once, but those that changed', async () => {
      const stored = await put(...[1, 2, 3].map((no) => shelf(String(no))));
      await store.apply([{ in: shelves, patch: stored[1] as Stored, set: { status: 1 } }]);
      expect(await store.apply(stored.map((one) => ({ in: shelves, delete: one })))).toEqual([
        { kind: 'written', version: 2 },
        { kind: 'lost', current: { value: shelf('2', { status: 1 }), version: 2 } },
        { kind: 'written', version: 2 },
      ]);
    });

    test('a deletion that spares messages leaves those that wait, also of writes together', async () => {
      const messages = [{ topic: 't', key: 'k', value: 'v' }];
      await store.apply(['1', '2'].map((no) => ({ in: shelves, insert: shelf(no), messages })));
      const [plain] = await put(shelf('3'));
      const deletions = [
        ...(await store.read(shelves, [
          ['tenant-a', '1'],
          ['tenant-a', '2'],
        ])),
        plain as Stored<ShelfDocument>,
      ];
      const [first, second, third] = deletions.map((stored) => ({ in: shelves, delete: stored }));
      await store.apply([first as Write, third as Write], { sparesMessages: true });
      await store.apply([second as Write], { sparesMessages: true, together: true });
      expect(await read('3')).toBeUndefined();
      expect((await opened.messages()).map(({ value }) => value)).toEqual(['v', 'v']);
    });

    test('a range is deleted without a message that waits', async () => {
      await store.apply([{ in: shelves, insert: shelf('1', { endedAt: 1 }), messages: [{ topic: 't', key: 'k', value: 'v' }] }]);
      await put(shelf('2', { endedAt: 1 }));
      expect(await store.deleteRange(shelves.by.ended, { eq: [], to: 2, limit: 9 })).toBeGreaterThan(0);
      expect(await read('2')).toBeUndefined();
      expect((await opened.messages()).map(({ value }) => value)).toEqual(['v']);
    });

    test('a decision that another was quicker at is made again', async () => {
      await put(shelf('1', { status: 0 }));
      const rise = () =>
        store.change([{ in: shelves, keys: [['tenant-a', '1']] }], (known) => {
          const stored = known.get(shelves, ['tenant-a', '1']) as Stored<ShelfDocument>;
          return { writes: [{ in: shelves, patch: stored, set: { status: (stored.value.status ?? 0) + 1 } }], result: undefined };
        });
      await Promise.all(Array.from({ length: 8 }, rise));
      expect((await read('1'))?.value.status).toBe(8);
    });

    test('of groups of writes that rest on one document, each is decided again until it is made', async () => {
      await put(shelf('0', { status: 0 }));
      const add = (no: number) =>
        store.change(
          [{ in: shelves, keys: [['tenant-a', '0']] }],
          (known) => {
            const counted = known.get(shelves, ['tenant-a', '0']) as Stored<ShelfDocument>;
            const set = { status: (counted.value.status ?? 0) + 1 };
            return {
              writes: [
                { in: shelves, insert: shelf(`${no}`) },
                { in: shelves, patch: counted, set },
              ],
              result: undefined,
            };
          },
          { together: true },
        );
      await Promise.all(Array.from({ length: 8 }, (_, no) => add(no + 1)));
      expect((await read('0'))?.value.status).toBe(8);
    });

    test('every declared index serves its reads without a sort', async () => {
      await put(...Array.from({ length: 200 }, (_, no) => shelf(String(no), { createdAt: no, status: no % 3, endedAt: no, tags: ['t'] })));
      const plans = [
        [shelves.by.newest, { eq: ['tenant-a'], after: [5, '5'] }],
        [shelves.by.status, { eq: ['tenant-a', 1], from: 3 }],
        [shelves.by.tags, { eq: ['tenant-a', 't'] }],
        [shelves.by.ended, { eq: [], to: 9 }],
      ] as const;
      for (const [index, bounds] of plans) expect(await opened.driver.plan(index, { ...bounds, limit: 5, backwards: false })).toEqual([]);
    });

    test('text is ordered by its UTF-8 bytes, behind numbers', async () => {
      const words = ['\uE000', '\u{10000}', 'a', '', 'B', 'ß'];
      await put(...words.map((tag, place) => shelf(String(place), { barcode: tag })));
      const page = await store.find(shelves.by.barcode, { eq: ['tenant-a'], limit: 9 });
      expect(page.items.map(({ value }) => value.barcode)).toEqual([...words].sort(compareValues));
    });

    test('random histories end as those of the model', async () => {
      const values = { status: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }), createdAt: fc.integer({ min: 0, max: 3 }) };
      const step = fc.record({
        act: fc.constantFrom('insert', 'patch', 'patch', 'delete', 'stale', 'together'),
        tenantId: fc.constantFrom(...TENANTS),
        no: fc.constantFrom('1', '2', '3', '4'),
        ...values,
        barcode: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
        claims: fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }), { nil: undefined }),
        tags: fc.option(fc.uniqueArray(fc.constantFrom('s', 't'), { minLength: 1 }), { nil: undefined }),
        content: fc.option(fc.constantFrom('long', 'longer'), { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const model = new CheckedStore(new MemoryStoreDriver());
          for (const { act, no, content, ...rest } of steps) {
            const fields = Object.fromEntries(Object.entries({ ...rest, content }).filter(([, one]) => one !== undefined));
            const value = { ...fields, shelfNo: no } as unknown as ShelfDocument;
            const key = [rest.tenantId, no];
            const of = async (one: Store) => {
              const stored = await one.get(shelves, key);
              if (act === 'insert' || stored === undefined) return one.apply([{ in: shelves, insert: value }]);
              if (act === 'delete') return one.apply([{ in: shelves, delete: stored }]);
              if (act === 'stale')
                return one.apply([{ in: shelves, patch: { ...stored, version: stored.version + 1 }, set: { status: 1 } }]);
              const { tenantId: _t, shelfNo: _s, ...set } = { ...value, barcode: rest.barcode, claims: rest.claims } as ShelfDocument;
              const patch = { in: shelves, patch: stored, set: set as Partial<ShelfDocument> };
              return act === 'patch'
                ? one.apply([patch])
                : one.apply([patch, { in: shelves, insert: { ...value, shelfNo: `${no}+` } }], { together: true });
            };
            const [expected, got] = [await of(model), await of(store)];
            // Of a write that meets two documents, each store may name either.
            expect(kinds(got)).toEqual(kinds(expected));
          }
          for (const tenantId of TENANTS) {
            for (const index of [shelves.by.newest, shelves.by.status]) {
              const eqs = index === shelves.by.newest ? [[tenantId]] : [0, 1, 2].map((status) => [tenantId, status]);
              for (const eq of eqs) {
                const options = { eq, limit: 20, with: ['content', 'tags'] as const };
                expect(await store.find(index, options)).toEqual(await model.find(index, options));
              }
            }
            for (const tag of ['s', 't']) {
              const options = { eq: [tenantId, tag], limit: 20 };
              expect(await store.find(shelves.by.tags, options)).toEqual(await model.find(shelves.by.tags, options));
            }
          }
          await opened.clear();
        }),
        { numRuns: 60, endOnFailure: true },
      );
    }, 120_000);
  });
}
