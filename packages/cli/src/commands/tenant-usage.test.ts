import { expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();

const amounts = { calls: 12, failed_calls: 3, parcels: 4, events: 5, files: 6, stored_bytes: 700 };
const usage = {
  days: [
    { date: '2026-11-27', ...amounts, storage: null },
    { date: '2026-11-28', ...amounts, calls: 1, storage: { files: 8, bytes: 900 } },
  ],
  total: { ...amounts, calls: 13, storage: { files: 8, bytes: 900 } },
};

test('parcelctl tenant usage shows each day, and the total at last', async () => {
  parcelctl.server.succeed(usage);
  const { code, out } = await parcelctl.run(['tenant', 'usage', 'a/b']);
  expect([code, out.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
    0,
    [
      ['DAY', 'CALLS', 'FAILED', 'PARCELS', 'EVENTS', 'UPLOADS', 'UPLOADED BYTES', 'STORED FILES', 'STORED BYTES'],
      ['2026-11-27', '12', '3', '4', '5', '6', '700', '-', '-'],
      ['2026-11-28', '1', '3', '4', '5', '6', '700', '8', '900'],
      ['total', '13', '3', '4', '5', '6', '700', '8', '900'],
      [''],
    ],
  ]);
  expect(parcelctl.server.seen).toMatchObject([{ method: 'GET', url: '/admin/v1/tenants/a%2Fb/usage' }]);
});

test('parcelctl tenant usage --json prints what the platform responds, for the days that the options name', async () => {
  parcelctl.server.succeed(usage);
  const { out } = await parcelctl.run(['tenant', 'usage', 'tnt_1', '--from', '2026-11-27', '--to', '2026-11-28', '--json']);
  expect(JSON.parse(out)).toEqual(usage);
  expect(parcelctl.server.seen).toMatchObject([{ url: '/admin/v1/tenants/tnt_1/usage?from_date=2026-11-27&to_date=2026-11-28' }]);
});

test.each(['2026-02-30', '27.11.2026', '2h'])('%s is no day', async (day) => {
  expect((await parcelctl.run(['tenant', 'usage', 'tnt_1', '--from', day])).code).toBe(2);
  expect(parcelctl.server.seen).toEqual([]);
});
