import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Client } from '@parcelway/page/api/client';
import { MemoryStore } from '../testing/memory-store.ts';
import { ReportQueue } from './report-queue.ts';

/** What the module has; it is loaded by its name alone, because tests are compiled without the types of a browser. */
interface SenderModule {
  runSender(options: object, signal: AbortSignal): unknown;
}
const name: string = './run-sender.ts';
let runSender: SenderModule['runSender'];
beforeAll(async () => {
  ({ runSender } = (await import(name)) as SenderModule);
});

/** Locks of a browser: one holder of a name at a time. */
class Locks {
  readonly #turns = new Map<string, Promise<unknown>>();

  async request(name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : work()));
    this.#turns.set(name, turn);
    await turn;
  }
}

const replaced = ['navigator', 'addEventListener'] as const;
const former = replaced.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
let gone: AbortController;

beforeEach(() => {
  gone = new AbortController();
  Object.defineProperty(globalThis, 'navigator', { value: { locks: new Locks() }, configurable: true });
  Object.defineProperty(globalThis, 'addEventListener', { value: () => undefined, configurable: true });
});
afterEach(() => {
  gone.abort();
  replaced.forEach((name, index) => {
    const descriptor = former[index];
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, descriptor);
  });
});

/** A tab for a warehouse. @returns what resolves with the calls once one was made */
async function tab(store: MemoryStore, warehouseCode: string): Promise<{ queue: ReportQueue; called: Promise<string> }> {
  const queue = await ReportQueue.open({ store, environment: 'sandbox', warehouseCode, newId: () => `e-${warehouseCode}`, now: () => 0 });
  const called = new Promise<string>((resolve) => {
    const client: Client = {
      environment: 'sandbox',
      async call<T>(path: string): Promise<T> {
        resolve(path);
        return { accepted: 1, duplicates: 0, waiting: 0, rejected: [], warnings: [] } as T;
      },
    };
    const ignored = (): void => undefined;
    runSender({ queue, client, onStopped: ignored, onWarnings: ignored, onStore: ignored }, gone.signal);
  });
  return { queue, called };
}

test('tabs for two warehouses send at the same time', async () => {
  const store = new MemoryStore();
  const tabs = [await tab(store, 'SZ01'), await tab(store, 'HK01')];
  for (const { queue } of tabs) await queue.add({ title: 'PO-1', draft: { type: 'arrival', forecast_no: 'FC1' }, photos: [] });
  const calls = await Promise.all(tabs.map(({ called }) => called));
  expect(calls).toEqual(['/warehouse/v1/events', '/warehouse/v1/events']);
});
