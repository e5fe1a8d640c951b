import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { Ledger } from './ledger.ts';
import { Load, type LoadClients, putLoad } from './load.ts';

test('a stuck load ends at its deadline, and the ledger has its internal errors', async () => {
  const ledger = new Ledger();
  const client = { call: async () => ({ status: 500 }), upload: async () => ({ status: 500 }), close: async () => undefined };
  const platform = { client: () => client, quickstart: { warehouse: {} }, running: true } as unknown as Parameters<typeof putLoad>[0];
  const load = putLoad(platform, ledger, { workers: 1, parcels: 2, withinMs: 300 });
  await expect(load).rejects.toThrow('2 parcels were unfinished after 0.3 s');
  expect(ledger.contradictions).toEqual([expect.stringMatching(/^\d+ times an internal error: upload: 500$/)]);
});

test('a parcel of the load is late before those of a probe are', async () => {
  const ledger = new Ledger();
  // It hangs until the load has to be finished.
  let recover = (): void => undefined;
  const hangs = new Promise<{ status: number }>((resolve) => {
    recover = () => resolve({ status: 503 });
  });
  let begun = 0;
  const upload = (): Promise<{ status: number }> => {
    begun += 1;
    return hangs;
  };
  const load = new Load({ merchant: { upload }, warehouse: {}, warehouseCode: 'WH' } as unknown as LoadClients, ledger, { workers: 1 });
  await until(() => begun === 1);
  const finished = load.finish(1000, 100);
  const late = expect(finished).rejects.toThrow('1 parcels of the load were unfinished after 0.1 s');
  setTimeout(() => {
    for (const entry of ledger.entries.values()) entry.weighingAcknowledged = true;
    recover();
  }, 300);
  await late;
});
