import { afterEach, describe, expect, test } from '@jest/globals';
import { figuresOf } from './figures.ts';
import { instrument } from './instrument.ts';
import { type Call, Tracer } from './tracer.ts';

const files = {
  'order.ts': `
    function price(order) { return rate(order) * order.pieces; }
    function twice(order) { return price(order) + price(order); }
    function checked(order) { rate(order); return known(order); }
    function known(order) { return order.pieces > 0; }
    async function fetched(order) { await loaded(order); return known(order); }
    async function both(first, second) { await Promise.all([fetched(first), fetched(second)]); return known(first); }
    async function looping(order, rounds) { for (let round = 0; round < rounds; round += 1) { await loaded(order); known(order); } }
    async function started(order) { const loop = looping(order, 3); await fetched(order); await loop; }
    const sum = (orders) => orders.reduce((total, order) => total + pieces(order), 0);
    const pieces = (order) => order.pieces;
    async function failing(order) { try { await refused(order); } catch { return known(order); } }`,
  'rates.ts': `
    class Rates {
      #table = new Map();
      constructor(base) { this.#table.set('base', base); }
      of(order) { return this.#base() + order.pieces; }
      #base() { return this.#table.get('base'); }
    }
    function rate(order) { return new Rates(2).of(order); }
    async function refused() { throw new Error('refused'); }`,
  'store.ts': `
    async function loaded(order) { const read = await new Promise((resolve) => setTimeout(resolve, order.delay)); seen(order); return read; }
    function seen(order) { order.seen = true; }`,
};

type Fixture = Record<'twice' | 'checked' | 'fetched' | 'both' | 'started' | 'sum' | 'failing', (...args: unknown[]) => unknown>;

const order = { pieces: 3, delay: 1 };
let tracer = new Tracer();

/** The fixture, instrumented for a tracer of its own. */
function load(everyFunction = false): Fixture {
  tracer = new Tracer();
  Object.assign(globalThis, { parcelwayTracer: tracer });
  const code = Object.entries(files).map(([file, source]) => instrument(source, file, everyFunction));
  const names = ['twice', 'checked', 'fetched', 'both', 'started', 'sum', 'failing'];
  return new Function(`${code.join('\n')}\nreturn { ${names.join(', ')} };`)() as Fixture;
}

/** What a run calls. */
async function callsOf(run: () => unknown): Promise<readonly Call[]> {
  tracer.begin();
  await run();
  return tracer.end().calls;
}

const entriesOf = (calls: readonly Call[]): string[] => calls.filter(({ isEntry }) => isEntry).map(({ file, name }) => `${file}:${name}`);

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'parcelwayTracer');
});

describe('calls that follow one another', () => {
  test('are named after the functions and what those are in', async () => {
    const { twice } = load();
    const calls = await callsOf(() => expect(twice(order)).toBe(30));
    const once = ['price', 'rate', 'Rates.constructor', 'Rates.of', 'Rates.#base'];
    expect(calls.map(({ name }) => name)).toEqual(['twice', ...once, ...once]);
  });

  test('are entries when the file changes, not when a call returns', async () => {
    const { twice, checked } = load();
    expect(entriesOf(await callsOf(() => twice(order)))).toEqual(['order.ts:twice', 'rates.ts:rate', 'order.ts:price', 'rates.ts:rate']);
    expect(entriesOf(await callsOf(() => checked(order)))).toEqual(['order.ts:checked', 'rates.ts:rate', 'order.ts:known']);
  });

  test('count again in the next recording', async () => {
    const { checked } = load();
    await callsOf(() => checked(order));
    expect(entriesOf(await callsOf(() => checked(order)))).toHaveLength(3);
  });

  test('leave out functions of one expression unless asked for', async () => {
    const orders = [order, order];
    expect(await callsOf(() => load().sum(orders))).toEqual([]);
    const { sum } = load(true);
    const calls = await callsOf(() => expect(sum(orders)).toBe(6));
    expect(calls.map(({ name }) => name)).toEqual(['sum', 'sum', 'pieces', 'sum', 'pieces']);
  });
});

describe('calls of async functions', () => {
  test('follow one another across what they await', async () => {
    const { fetched } = load();
    expect(entriesOf(await callsOf(() => fetched(order)))).toEqual(['order.ts:fetched', 'store.ts:loaded', 'order.ts:known']);
  });

  test('go on after a rejection', async () => {
    const { failing } = load();
    const calls = await callsOf(async () => expect(await failing(order)).toBe(true));
    expect(entriesOf(calls)).toEqual(['order.ts:failing', 'rates.ts:refused', 'order.ts:known']);
  });

  test('do not mix when they run concurrently', async () => {
    const { both } = load();
    const calls = await callsOf(() => both({ pieces: 1, delay: 20 }, { pieces: 2, delay: 1 }));
    // One branch goes on from the first call; the other forks from it.
    const first = ['order.ts:both', 'store.ts:loaded', 'order.ts:known'];
    const second = ['order.ts:fetched', 'store.ts:loaded', 'order.ts:known'];
    const chains = [...new Set(calls.map(({ chain }) => chain))];
    expect(chains).toHaveLength(2);
    expect(chains.map((chain) => entriesOf(calls.filter((call) => call.chain === chain)).slice(0, 3))).toEqual([first, second]);
  });

  test('of a loop that runs beside them are apart', async () => {
    const { started } = load();
    const calls = await callsOf(() => started(order));
    const [loop, main] = [...new Set(calls.map(({ chain }) => chain))].map((chain) => calls.filter((call) => call.chain === chain));
    const rounds = Array.from({ length: 3 }, () => ['store.ts:loaded', 'order.ts:known']).flat();
    expect(entriesOf(loop ?? [])).toEqual(['order.ts:started', ...rounds]);
    expect(entriesOf(main ?? [])).toEqual(['order.ts:fetched', 'store.ts:loaded', 'order.ts:known']);
  });
});

describe('an idle platform', () => {
  test('has its polls left out, in a chain that does nothing else', async () => {
    const { checked, fetched } = load();
    tracer.begin();
    await fetched(order);
    tracer.rest();
    const calls = await callsOf(async () => {
      const polled = Promise.all([1, 2].map(() => fetched(order)));
      checked(order);
      await polled;
    });
    expect(new Set(calls.map(({ file }) => file))).toContain('rates.ts');
    expect(figuresOf(await callsOf(() => fetched(order))).files).toBe(0);
  });

  test('is quiet although it polls', async () => {
    const { checked, fetched } = load();
    tracer.begin();
    await fetched(order);
    tracer.rest();
    checked(order);
    const { quietMs } = tracer.activity();
    await fetched({ pieces: 1, delay: 20 });
    expect(tracer.activity().quietMs).toBeGreaterThan(quietMs + 10);
    checked(order);
    expect(tracer.activity().quietMs).toBeLessThan(10);
  });
});
