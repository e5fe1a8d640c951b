import { expect, test } from '@jest/globals';
import { Ledger } from './ledger.ts';
import { putLoad } from './load.ts';

test('a load that gets no further ends at its deadline, and the ledger has its internal errors', async () => {
  const ledger = new Ledger();
  const client = { call: async () => ({ status: 500 }), upload: async () => ({ status: 500 }), close: async () => undefined };
  const platform = { client: () => client, quickstart: { warehouse: {} }, running: true } as unknown as Parameters<typeof putLoad>[0];
  const load = putLoad(platform, ledger, { workers: 1, parcels: 2, withinMs: 300 });
  await expect(load).rejects.toThrow('2 parcels were not through after 0.3 s');
  expect(ledger.contradictions).toEqual([expect.stringMatching(/^\d+ times an internal error: upload: 500$/)]);
});
