import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '@parcelway/platform/doctor/check';
import { type AdminServer, startAdminServer } from '../testing/admin-server.ts';
import { checkAdmin } from './check-admin.ts';

const CONNECTIONS = '/admin/v1/carrier-connections';

let server: AdminServer;
beforeEach(async () => {
  server = await startAdminServer();
});
afterEach(() => server.close());

/** Findings of the check, as status and texts. */
async function findings(): Promise<readonly (readonly string[])[]> {
  const found: string[][] = [];
  const note =
    (status: string) =>
    (...texts: string[]): void =>
      void found.push([status, ...texts]);
  const report: Report = { ok: note('ok'), warning: note('warning'), wrong: note('wrong') };
  await checkAdmin({ PARCEL_ADMIN_URL: server.url, PARCEL_ADMIN_TOKEN: 't' }, 'wrong').run(report);
  return found;
}

/** Responds with these connections, and with success to any other call. */
function connect(...names: readonly (readonly string[])[]): void {
  const connections = names.map((credential_names, index) => ({ connection_id: `con_${index}`, credential_names }));
  server.respondWith((req, res) => {
    res.end(JSON.stringify({ code: '0', message: 'success', data: req.url === CONNECTIONS ? { connections } : {} }));
  });
}

describe('connections', () => {
  test('whose credentials nothing opens are wrong, with what to do, and without their ids', async () => {
    connect(['key'], [], []);
    const found = (await findings()).find(([, check]) => check === 'connections');
    expect(found).toEqual([
      'wrong',
      'connections',
      'no secret opens the credentials of 2 of 3',
      expect.stringMatching(/connection list.*CREDENTIALS_SECRET_PREVIOUS.*connection update/),
    ]);
    expect(String(found)).not.toContain('con_1');
  });

  test.each([0, 2])('that can be read are ok: %i', async (count) => {
    connect(...Array.from({ length: count }, () => ['key']));
    expect(await findings()).toContainEqual(['ok', 'connections', `${count} to tracking sources, none with unreadable credentials`]);
  });

  test('that cannot be listed are a warning', async () => {
    server.respondWith((req, res) => {
      const isOut = req.url === CONNECTIONS;
      res.writeHead(isOut ? 503 : 200);
      res.end(JSON.stringify({ code: isOut ? '50301' : '0', message: isOut ? 'tracking is out' : 'success', data: {} }));
    });
    expect(await findings()).toContainEqual(['warning', 'connections', 'not checked: tracking is out', expect.any(String)]);
  });
});
