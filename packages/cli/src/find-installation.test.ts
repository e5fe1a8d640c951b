import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer, TOKEN } from './testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();

describe('the installation', () => {
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(parcelctl.directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  const list = (env: Record<string, string> = {}) => parcelctl.run(['tenant', 'list'], { env: { DATA_DIR: parcelctl.directory, ...env } });

  test('is found by quickstart.json, or by admin.json when there is none', async () => {
    write('admin.json', { url: `${parcelctl.server.url}/`, token: 'of-admin-json' });
    expect((await list()).code).toBe(0);
    write('quickstart.json', { base_url: 'https://localhost:8443', admin: { url: parcelctl.server.url, token: 'of-quickstart' } });
    expect((await list()).code).toBe(0);
    expect(parcelctl.server.seen.map(({ authorization, url }) => [authorization, url])).toEqual([
      ['Bearer of-admin-json', '/admin/v1/tenants?limit=1000'],
      ['Bearer of-quickstart', '/admin/v1/tenants?limit=1000'],
    ]);
  });

  test('is the one that the environment names, whatever lies in the directory', async () => {
    write('quickstart.json', { admin: { url: 'http://127.0.0.1:1', token: 'x' } });
    expect((await list({ PARCEL_ADMIN_URL: parcelctl.server.url, PARCEL_ADMIN_TOKEN: TOKEN })).code).toBe(0);
  });

  test.each<[string, Record<string, unknown>, Record<string, string>, RegExp]>([
    ['is not there', {}, {}, /neither quickstart\.json nor admin\.json/],
    ['has a spoilt file', { 'quickstart.json': '{"admin":' }, {}, /not JSON/],
    ['was restored and not started', { 'quickstart.json': { tenant: {} } }, {}, /has not been started on .*: its quickstart\.json/],
    ['has a file without an address', { 'quickstart.json': { admin: {} } }, {}, /address of the admin API/],
    ['has a file that is null', { 'admin.json': 'null' }, {}, /address of the admin API/],
    ['has a token with a line break', { 'admin.json': { url: 'http://127.0.0.1:1', token: 'a\nb' } }, {}, /usable admin token/],
    ['is named without a token', {}, { PARCEL_ADMIN_URL: 'http://127.0.0.1:1' }, /PARCEL_ADMIN_TOKEN is missing/],
    ['is named by a token alone', {}, { PARCEL_ADMIN_TOKEN: 'x' }, /PARCEL_ADMIN_URL is missing/],
    ['is named by no address', {}, { PARCEL_ADMIN_URL: 'localhost:9000', PARCEL_ADMIN_TOKEN: 'x' }, /address of the admin API/],
    ['does not run', { 'admin.json': { url: 'http://127.0.0.1:1', token: 'x' } }, {}, /Cannot reach the admin API at .* \(ECONNREFUSED\)/],
  ])('that %s ends with 3 and says what to do', async (_what, files, env, message) => {
    for (const [name, content] of Object.entries(files)) write(name, content);
    const { code, out, err } = await list(env);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(message);
    expect(err).toContain('npm start');
  });
});
