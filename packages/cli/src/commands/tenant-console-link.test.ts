import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runParcelctl } from '../run-parcelctl.ts';
import { type AdminServer, startAdminServer } from '../testing/admin-server.ts';

const link = {
  url: 'https://api.example.com/console#link=pfs_s1.ab.cd',
  key_id: 'key_1',
  scopes: ['weighing:read', 'tracking:read'],
  expires_at: '2026-01-31T08:00:00.000+00:00',
  warnings: [],
};

let server: AdminServer;
beforeEach(async () => {
  server = await startAdminServer();
  server.succeed(link);
});
afterEach(() => server.close());

async function run(...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runParcelctl(['tenant', 'console-link', 'tnt_1', ...args], {
    env: { PARCEL_ADMIN_URL: server.url, PARCEL_ADMIN_TOKEN: 'a-token' },
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  });
  return { code, out: out.join(''), err: err.join('') };
}

test('a link is shown whole, with when it ends and how to end it before', async () => {
  const { code, out } = await run();
  expect(code).toBe(0);
  expect(out).toMatch(/^url +https:\/\/api\.example\.com\/console#link=pfs_s1\.ab\.cd\nkey_id +key_1\n/);
  expect(out).toContain('parcelctl key revoke key_1\n');
  expect(JSON.parse((await run('--json')).out)).toEqual(link);
});

test.each(['0', '61', '1.5', '1h', '007'])('%s minutes are refused before anything is asked', async (minutes) => {
  expect(await run('--minutes', minutes)).toMatchObject({ code: 2, err: expect.stringContaining('Enter 1 to 60 minutes.') });
  expect(server.seen).toEqual([]);
});
