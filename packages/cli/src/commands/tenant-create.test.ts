import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();
const tenant = { id: 'tnt_1', name: 'Acme', status: 'active', create_time: 'now' };

describe('parcelctl tenant create --with-key', () => {
  const key = { key_id: 'key_1', key: 'pf_test_secret', scopes: ['forecasts:write'] };

  test('prints the key once, and sends a key by which the call can be repeated', async () => {
    parcelctl.server.succeed({ ...tenant, warnings: [], key });
    const { code, out } = await parcelctl.run(['tenant', 'create', '--name', 'Acme', '--with-key']);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/tnt_1[\s\S]*key +pf_test_secret\n[\s\S]*Save the key now\. It is not shown again\.\n$/),
    ]);
    expect(out.match(/pf_test_secret/g)).toHaveLength(1);
    expect(parcelctl.server.seen).toMatchObject([{ url: '/admin/v1/tenants', body: { name: 'Acme', with_key: true } }]);
  });

  test('says how to repeat a call whose response was lost, which sends the same key', async () => {
    const sent: unknown[] = [];
    parcelctl.server.respondWith((req) => {
      sent.push(req.headers['idempotency-key']);
      req.socket.destroy();
    });
    const args = ['tenant', 'create', '--name', 'Acme', '--with-key'];
    const lost = await parcelctl.run(args);
    expect([lost.code, lost.err]).toEqual([3, expect.stringContaining('It is not known whether the tenant was created')]);
    const [, text = ''] = /--repeat ([\w-]{16,64}) /.exec(lost.err) ?? [];
    parcelctl.server.respondWith((req, res) => {
      sent.push(req.headers['idempotency-key']);
      res.end(JSON.stringify({ code: '0', message: 'success', data: { ...tenant, warnings: [], key } }));
    });
    expect((await parcelctl.run([...args, '--repeat', text])).out).toContain('pf_test_secret');
    expect(sent).toEqual([text, text]);
  });

  test('takes --repeat with --with-key only, and no invention', async () => {
    expect((await parcelctl.run(['tenant', 'create', '--name', 'A', '--repeat', 'a'.repeat(24)])).code).toBe(2);
    expect((await parcelctl.run(['tenant', 'create', '--name', 'A', '--with-key', '--repeat', 'x'])).code).toBe(2);
    expect(parcelctl.server.seen).toEqual([]);
  });
});
