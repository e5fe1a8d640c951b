import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();
const tenant = { id: 'tnt_1', name: 'Acme', status: 'active', create_time: 'now' };

describe('parcelctl tenant show', () => {
  test('shows a figure a line, and which of them go on', async () => {
    parcelctl.server.succeed({
      ...tenant,
      keys: { alive: 1000, has_more: true, last_use_time: null },
      webhook_endpoints: { enabled: 2, paused: 0, disabled: 1, failing: 1 },
      parcels: [
        { status_name: 'ACCEPTED', count: 7, has_more: false },
        { status_name: 'COMPLETED', count: 1000, has_more: true },
      ],
      last_activity_time: '2026-11-21T08:00:00.000+00:00',
    });
    const { out } = await parcelctl.run(['tenant', 'show', 'tnt_1']);
    for (const line of [
      /^keys\.alive +1000\+$/m,
      /^webhook_endpoints\.failing +1$/m,
      /^parcels\.ACCEPTED +7$/m,
      /^parcels\.COMPLETED +1000\+$/m,
    ])
      expect(out).toMatch(line);
  });

  test('says what is not known now', async () => {
    parcelctl.server.succeed({
      ...tenant,
      keys: { alive: 0, has_more: false, last_use_time: null },
      webhook_endpoints: null,
      parcels: null,
    });
    const { out } = await parcelctl.run(['tenant', 'show', 'tnt_1']);
    expect(out).toMatch(/^parcels +not known now$/m);
    expect(out).toMatch(/^webhook_endpoints +not known now$/m);
  });
});

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

describe('parcelctl parcel find', () => {
  test('shows tenant, status, weighing and tracking in short', async () => {
    const weighing = { weight_kg: 1.5, length_cm: 30, width_cm: 20, height_cm: 10 };
    const dispatch = { carrier_code: 'ups', tracking_number: '1Z1' };
    const parcel = { tenant_id: 'tnt_1', tenant_name: 'Acme', forecast_no: 'FC1', po_number: 'PO-1', status_name: 'DISPATCHED' };
    parcelctl.server.succeed({
      parcels: [
        { ...parcel, weighing, dispatch, tracking: { latest_status: 'DELIVERED' } },
        { ...parcel, weighing: null, dispatch: null, tracking: null },
      ],
      has_more: true,
    });
    const { out } = await parcelctl.run(['parcel', 'find', 'PO-1']);
    expect(out).toMatch(/tnt_1 +Acme +FC1 +PO-1 .*DISPATCHED.* 1\.5 kg, 30 x 20 x 10 cm +ups 1Z1: DELIVERED/);
    expect(out).toContain('There are more than shown.');
  });
});
