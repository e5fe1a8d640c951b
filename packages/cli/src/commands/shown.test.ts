import { expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

/* What commands make of a response, where it is more than its fields and rows. */

const parcelctl = parcelctlWithServer();

const tenant = { id: 'tnt_1', name: 'Acme', status: 'active' };
const amounts = { calls: 12, failed_calls: 3, parcels: 4, events: 5, files: 6, stored_bytes: 700 };
const entry = { time: 'T', tenant_id: null, action: 'a', outcome: 'success', request_id: 'req_1' };
const parcel = { tenant_id: 'tnt_1', tenant_name: 'Acme', forecast_no: 'FC1', po_number: 'PO-1', status_name: 'DISPATCHED' };

test.each<[string, object, readonly RegExp[]]>([
  [
    'tenant show tnt_1',
    {
      ...tenant,
      keys: { alive: 1000, has_more: true, last_use_time: null },
      webhook_endpoints: { enabled: 2, failing: 1 },
      parcels: [
        { status_name: 'ACCEPTED', count: 7, has_more: false },
        { status_name: 'COMPLETED', count: 1000, has_more: true },
      ],
    },
    [/^keys\.alive +1000\+$/m, /^webhook_endpoints\.failing +1$/m, /^parcels\.ACCEPTED +7$/m, /^parcels\.COMPLETED +1000\+$/m],
  ],
  [
    'tenant show tnt_2',
    { ...tenant, keys: { alive: 0, has_more: false }, webhook_endpoints: null, parcels: null },
    [/^parcels +not known now$/m, /^webhook_endpoints +not known now$/m],
  ],
  [
    'tenant usage tnt_1',
    { days: [{ date: '2026-11-27', ...amounts, storage: null }], total: { ...amounts, calls: 13, storage: { files: 8, bytes: 900 } } },
    [/^2026-11-27 +12 +3 +4 +5 +6 +700 +- +-$/m, /^total +13 +3 +4 +5 +6 +700 +8 +900\n$/m],
  ],
  [
    'audit',
    {
      entries: [
        { ...entry, actor: { type: 'operator', id: 'li' }, resource: { type: 'warehouse', id: 'W1' } },
        { ...entry, tenant_id: 'tnt_1', actor: { type: 'key', id: 'key_1', session: 'link' }, resource: { type: 'key', id: null } },
      ],
    },
    [/^T +- +a +operator li +warehouse W1 +success +req_1$/m, /^T +tnt_1 +a +key_1 \(link\) +key +success +req_1\n$/m],
  ],
  [
    'parcel find PO-1',
    {
      parcels: [
        {
          ...parcel,
          weighing: { weight_kg: 1.5, length_cm: 30, width_cm: 20, height_cm: 10 },
          dispatch: { carrier_code: 'ups', tracking_number: '1Z1' },
          tracking: { latest_status: 'DELIVERED' },
        },
        { ...parcel, weighing: null, dispatch: null, tracking: null },
      ],
      has_more: true,
    },
    [/tnt_1 +Acme +FC1 +PO-1 .*DISPATCHED.* 1\.5 kg, 30 x 20 x 10 cm +ups 1Z1: DELIVERED/, /\nThere are more than shown\.\n$/],
  ],
  ['operator create li --role read', { name: 'li', token: 'pfo_x' }, [/token +pfo_x\n\nSave the token now\. It is not shown again\./]],
  ['tenant console-link tnt_1', { url: 'https://a/console#link=x', key_id: 'key_1' }, [/#link=x\n[\s\S]*parcelctl key revoke key_1\n$/]],
  [
    'queues',
    { queues: [{ service: 'webhook', queue: 'events', topic: 't', waiting: 3, oldest_wait_seconds: 4.4 }], unknown: ['file'] },
    [/^webhook +events t +3 +4 s$/m, /Not known now: file\./],
  ],
])('%s', async (command, data, expected) => {
  parcelctl.server.succeed(data);
  const { code, out } = await parcelctl.run(command.split(' '));
  expect(code).toBe(0);
  for (const pattern of expected) expect(out).toMatch(pattern);
});
