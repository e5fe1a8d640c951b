import { beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import type { CallPurpose, CallVerdict } from '../domain/call-ledger.ts';
import { CallQueue, type CallQueueOptions } from './call-queue.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const GRANTED: CallVerdict = { isGranted: true, at: NOW };

/** A call that waits for the test. */
interface Call {
  readonly items: readonly string[];
  resolve(results: readonly string[]): void;
  reject(error: Error): void;
}

let taken: CallPurpose[];
let calls: Call[];
/** What is said to the next requests for leave. */
let verdict: (purpose: CallPurpose) => Promise<CallVerdict>;
beforeEach(() => {
  [taken, calls] = [[], []];
  verdict = async () => GRANTED;
});

function queueOf(given: Partial<CallQueueOptions<string, string>> = {}): CallQueue<string, string> {
  return new CallQueue<string, string>({
    perCall: 3,
    take(purpose) {
      taken.push(purpose);
      return verdict(purpose);
    },
    call: (items) => new Promise((resolve, reject) => calls.push({ items, resolve, reject })),
    now: () => NOW,
    maxWaitMs: { query: 2000, background: 3000 },
    ...given,
  });
}

const query = (item: string, holder = 'tnt_a') => ({ item, purpose: 'query' as const, holder });
const later = (item: string, holder = 'tnt_a') => ({ item, purpose: 'background' as const, holder });
const untilCalls = (count: number) => until(() => calls.length >= count, { what: `${count} calls`, everyMs: 1 });
/** Lets each call succeed, with results that name their items. */
const immediate = (items: readonly string[]): Promise<readonly string[]> => {
  calls.push({ items, resolve: () => undefined, reject: () => undefined });
  return Promise.resolve(items.map((item) => `of ${item}`));
};

describe('a call', () => {
  test('takes as many items as it may, whoever they belong to, and gives each its own result', async () => {
    const queue = queueOf({ call: immediate });
    const results = await Promise.all(
      [later('1', 'tnt_a'), later('2', 'tnt_b'), later('3', 'tnt_c'), later('4', 'tnt_d')].map((one) => queue.ask(one)),
    );
    expect(results).toEqual(['of 1', 'of 2', 'of 3', 'of 4']);
    expect(calls.map(({ items }) => items)).toEqual([['1', '2', '3'], ['4']]);
    expect(taken).toHaveLength(2);
  });

  test('takes along what comes while it waits for its turn', async () => {
    let grant: (verdict: CallVerdict) => void = () => undefined;
    verdict = () => new Promise((resolve) => (grant = resolve));
    const queue = queueOf({ call: immediate });
    const first = queue.ask(later('1'));
    await until(() => taken.length === 1, { what: 'the turn', everyMs: 1 });
    const second = queue.ask(later('2'));
    grant(GRANTED);
    await Promise.all([first, second]);
    expect(calls.map(({ items }) => items)).toEqual([['1', '2']]);
  });

  test('takes queries first, and fills up with what can be done later', async () => {
    const queue = queueOf({ call: immediate });
    await Promise.all([later('1'), later('2'), query('3'), later('4'), query('5')].map((one) => queue.ask(one)));
    expect(calls.map(({ items }) => items)).toEqual([
      ['3', '5', '1'],
      ['2', '4'],
    ]);
    expect(taken).toEqual(['query', 'background']);
  });

  test('takes one item of each tenant after the other', async () => {
    const queue = queueOf({ perCall: 4, call: immediate });
    const many = Array.from({ length: 6 }, (_, index) => later(`a${index}`));
    await Promise.all([...many, later('b0', 'tnt_b'), later('c0', 'tnt_c')].map((one) => queue.ask(one)));
    expect([...(calls[0]?.items ?? [])].sort()).toEqual(['a0', 'a1', 'b0', 'c0']);
    expect(calls[1]?.items).toEqual(['a2', 'a3', 'a4', 'a5']);
  });

  test('goes on while others do, eight at the same time', async () => {
    const queue = queueOf({ perCall: 1 });
    const all = Array.from({ length: 12 }, (_, index) => queue.ask(query(`${index}`, `tnt_${index}`)));
    await untilCalls(8);
    // A turn of the event loop would begin the next one.
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toHaveLength(8);
    expect(taken).toHaveLength(8);
    calls[0]?.resolve(['first']);
    await untilCalls(9);
    for (let index = 1; index < 12; index += 1) {
      await untilCalls(index + 1);
      calls[index]?.resolve([`result ${index}`]);
    }
    expect((await Promise.all(all)).slice(0, 2)).toEqual(['first', 'result 1']);
  });
});

describe('who finds no place', () => {
  /** A queue whose calls wait until they are let go. */
  function gated() {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const queue = queueOf({
      perCall: 1,
      async call(items) {
        await gate;
        return items;
      },
    });
    return { queue, letGo };
  }

  test('of a purpose learns when to come back; the other purpose has places of its own', async () => {
    const { queue, letGo } = gated();
    const settled = Promise.allSettled(Array.from({ length: 60 }, (_, index) => queue.ask(later(`${index}`))));
    const asked = queue.ask(query('q'));
    letGo();
    expect(await asked).toBe('q');
    const rejected = (await settled).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    // One holder has at most four fifths of 32 places.
    expect(rejected).toHaveLength(34);
    expect(rejected[0]).toMatchObject({ name: 'NotNow', until: NOW + 60_000, maySkip: true });
  });

  test('is the tenant with the most items: another one finds a place', async () => {
    const { queue, letGo } = gated();
    const greedy = Promise.allSettled(Array.from({ length: 100 }, (_, index) => queue.ask(later(`${index}`, 'greedy'))));
    const modest = queue.ask(later('modest', 'modest'));
    letGo();
    expect(await modest).toBe('modest');
    expect((await greedy).filter(({ status }) => status === 'fulfilled')).toHaveLength(26);
  });

  test('in time learns when to come back; who has not waited as long goes on', async () => {
    let now = NOW;
    const queue = queueOf({ perCall: 1, now: () => now });
    const busy = Array.from({ length: 8 }, (_, index) => queue.ask(query(`${index}`, `tnt_${index}`)));
    await untilCalls(8);
    const late = Promise.allSettled([queue.ask(query('q')), queue.ask(later('b'))]);
    now += 2001;
    const fresh = queue.ask(query('fresh'));
    for (const call of calls) call.resolve(['done']);
    await Promise.all(busy);
    await untilCalls(10);
    for (const call of calls) call.resolve([`of ${call.items[0]}`]);
    expect(await late).toMatchObject([{ reason: { name: 'NotNow', until: now + 60_000 } }, { value: 'of b' }]);
    expect(await fresh).toBe('of fresh');
  });

  test('finds one again once an item has its result, or has failed', async () => {
    const queue = queueOf({ perCall: 1, call: () => Promise.reject(new Error('out')) });
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => queue.ask(later(`${index}`))));
      expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : ''))).toEqual(Array(16).fill('out'));
    }
  });
});

describe('a refusal', () => {
  test('of leave reaches all of that purpose, and no other', async () => {
    verdict = async (purpose) => (purpose === 'query' ? GRANTED : { isGranted: false, until: NOW + 9000, reason: 'daily quota' });
    const queue = queueOf({ perCall: 1, call: immediate });
    const outcomes = await Promise.allSettled([later('1'), later('2'), query('3'), query('4'), later('5')].map((one) => queue.ask(one)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[0]).toMatchObject({ reason: { name: 'NotNow', until: NOW + 9000 } });
    expect(taken).toEqual(['query', 'query', 'background']);
  });

  test('of the store reaches who waits, and the queue goes on', async () => {
    const queue = queueOf({ call: immediate });
    verdict = () => Promise.reject(new Error('the store is out'));
    await expect(queue.ask(query('1'))).rejects.toThrow('the store is out');
    verdict = async () => GRANTED;
    expect(await queue.ask(query('2'))).toBe('of 2');
  });

  test('of a call reaches each of its items, and the next call is made', async () => {
    const queue = queueOf({ perCall: 2 });
    const outcomes = Promise.allSettled(['1', '2', '3'].map((item) => queue.ask(query(item))));
    await untilCalls(2);
    calls[0]?.reject(new Error('the vendor is out'));
    calls[1]?.resolve(['three']);
    expect(await outcomes).toMatchObject([
      { reason: { message: 'the vendor is out' } },
      { reason: { message: 'the vendor is out' } },
      { value: 'three' },
    ]);
  });
});
