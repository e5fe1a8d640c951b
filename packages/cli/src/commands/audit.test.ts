import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();

const entry = {
  time: '2026-11-28T08:00:00.000+00:00',
  tenant_id: null,
  action: 'warehouse.closed',
  actor: { type: 'operator', id: 'li', address: null },
  resource: { type: 'warehouse', id: 'W1' },
  outcome: 'success',
  request_id: 'req_1',
};

describe('parcelctl audit', () => {
  test('shows who changed what', async () => {
    const byKey = {
      ...entry,
      tenant_id: 'tnt_1',
      action: 'key.created',
      actor: { type: 'key', id: 'key_1' },
      resource: { type: 'key', id: null },
    };
    const byLink = { ...byKey, action: 'endpoint.created', actor: { type: 'key', id: 'key_1', session: 'link' } };
    parcelctl.server.succeed({ entries: [entry, byKey, byLink], next_cursor: null });
    const { code, out } = await parcelctl.run(['audit']);
    expect(code).toBe(0);
    expect(out).toMatch(/^TIME +TENANT +ACTION +BY +RESOURCE +OUTCOME +REQUEST *\n/);
    expect(out).toMatch(/- +warehouse\.closed +operator li +warehouse W1 +success +req_1/);
    expect(out).toMatch(/tnt_1 +key\.created +key_1 +key +success/);
    expect(out).toMatch(/tnt_1 +endpoint\.created +key_1 \(link\) +key +success/);
    expect(out).not.toContain('There may be more');
    expect(parcelctl.server.seen).toMatchObject([{ method: 'GET', url: '/admin/v1/audit-log?limit=100' }]);
  });

  test('asks for what the options say, and says that there is more', async () => {
    parcelctl.server.succeed({ entries: [entry], next_cursor: '2.x' });
    const options = ['--tenant', 'tnt_1', '--operator', 'li', '--action', 'key.created', '--from', '2026-01-31T00:00:00Z', '--limit', '1'];
    expect((await parcelctl.run(['audit', ...options])).out).toContain('There may be more: narrow the time');
    const query = 'tenant_id=tnt_1&operator=li&action=key.created&created_from=2026-01-31T00%3A00%3A00Z&limit=1';
    expect(parcelctl.server.seen).toMatchObject([{ url: `/admin/v1/audit-log?${query}` }]);
  });

  test('goes on behind pages without an entry, and never says that there is none before the end', async () => {
    const pages = [
      { entries: [], next_cursor: '2.a' },
      { entries: [entry], next_cursor: null },
    ];
    parcelctl.server.respondWith((_req, res) => void res.end(JSON.stringify({ code: '0', message: 'success', data: pages.shift() })));
    expect((await parcelctl.run(['audit', '--operator', 'li'])).out).toContain('warehouse.closed');
    expect(parcelctl.server.seen.map(({ url }) => url)).toEqual([
      '/admin/v1/audit-log?operator=li&limit=100',
      '/admin/v1/audit-log?operator=li&limit=100&cursor=2.a',
    ]);
  });

  test('says that there is none', async () => {
    parcelctl.server.succeed({ entries: [], next_cursor: null });
    expect((await parcelctl.run(['audit'])).out).toBe('There are no such changes.\n');
  });
});
