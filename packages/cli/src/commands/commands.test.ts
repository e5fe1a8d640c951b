import { describe, expect, test } from '@jest/globals';
import {
  DiscardRequest,
  KeyIssue,
  OperatorKeyChange,
  RedriveRequest,
  RetentionChange,
  TenantCreation,
  TenantRenaming,
  WarehouseCreation,
} from '@parcelway/contracts/admin-api';
import { ConsoleLinkCreation } from '@parcelway/contracts/console-api';
import { NumberLimit } from '@parcelway/contracts/declared-numbers-api';
import { KeyRotation } from '@parcelway/contracts/key-api';
import { OperatorCreation } from '@parcelway/contracts/operator-api';
import { UnclaimedClaim, UnclaimedDismissal } from '@parcelway/contracts/unclaimed-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { ReplayRequest, TestRequest } from '@parcelway/contracts/webhook-delivery-api';
import { EndpointChange, EndpointCreation, RotationRequest } from '@parcelway/contracts/webhook-endpoint-api';
import { parcelctlWithServer, TOKEN } from '../testing/parcelctl-with-server.ts';

const ENDPOINTS = '/admin/v1/tenants/tnt_1/webhook-endpoints';
const of = ['--tenant', 'tnt_1'];
const parcelctl = parcelctlWithServer();

describe('requests', () => {
  test.each<[command: string, call: string, schema?: object, body?: object]>([
    ['tenant create --name Acme', 'POST /admin/v1/tenants', TenantCreation, { name: 'Acme' }],
    ['tenant list', 'GET /admin/v1/tenants?limit=1000'],
    ['tenant suspend tnt_1', 'POST /admin/v1/tenants/tnt_1/suspend'],
    ['tenant resume tnt_1', 'POST /admin/v1/tenants/tnt_1/resume'],
    ['tenant retention tnt_1', 'GET /admin/v1/tenants/tnt_1/retention'],
    [
      'tenant retention tnt_1 --forecast-days 400 --file-days installation --yes',
      'PATCH /admin/v1/tenants/tnt_1/retention',
      RetentionChange,
      { forecast_days: 400, file_days: null },
    ],
    ['tenant console-link tnt/1', 'POST /admin/v1/tenants/tnt%2F1/console-links', ConsoleLinkCreation, {}],
    [
      'tenant console-link tnt_1 --scopes forecasts:write,weighing:read --minutes 15',
      'POST /admin/v1/tenants/tnt_1/console-links',
      ConsoleLinkCreation,
      { scopes: ['forecasts:write', 'weighing:read'], expires_in_seconds: 900 },
    ],
    [
      'key issue --tenant tnt_1 --scopes weighing:read,tracking:read --expires-in 90d --rate-limit 20:200 --description ERP',
      'POST /admin/v1/keys',
      KeyIssue,
      {
        tenant_id: 'tnt_1',
        scopes: ['weighing:read', 'tracking:read'],
        expires_in_seconds: 7_776_000,
        rate_limit: { per_second: 20, burst: 200 },
        description: 'ERP',
      },
    ],
    ['key issue --warehouse WH1 --rate-limit off', 'POST /admin/v1/keys', KeyIssue, { warehouse_code: 'WH1', rate_limit: 'off' }],
    ['key list', 'GET /admin/v1/keys?limit=1000'],
    ['key list --tenant tnt_1', 'GET /admin/v1/keys?tenant_id=tnt_1&limit=1000'],
    ['key list --warehouse W/1', 'GET /admin/v1/keys?warehouse_code=W%2F1&limit=1000'],
    ['key revoke key/1', 'POST /admin/v1/keys/key%2F1/revoke'],
    [
      'key issue --tenant tnt_1 --allowed-addresses 203.0.113.7,2001:db8::/32',
      'POST /admin/v1/keys',
      KeyIssue,
      { tenant_id: 'tnt_1', allowed_addresses: ['203.0.113.7', '2001:db8::/32'] },
    ],
    [
      'key change key/1 --scopes files:write,keys:manage --expires-in 90d --description ERP --allowed-addresses any',
      'PATCH /admin/v1/keys/key%2F1',
      OperatorKeyChange,
      { scopes: ['files:write', 'keys:manage'], expires_in_seconds: 7_776_000, description: 'ERP', allowed_addresses: [] },
    ],
    ['key change key_1 --expires-in never', 'PATCH /admin/v1/keys/key_1', OperatorKeyChange, { expires_in_seconds: null }],
    ['key rotate key/1', 'POST /admin/v1/keys/key%2F1/rotate', KeyRotation, {}],
    ['key rotate key_1 --overlap 0s', 'POST /admin/v1/keys/key_1/rotate', KeyRotation, { overlap_seconds: 0 }],
    ['key rotate key_1 --overlap 2h', 'POST /admin/v1/keys/key_1/rotate', KeyRotation, { overlap_seconds: 7200 }],
    ['warehouse add --code WH1 --name Shenzhen', 'POST /admin/v1/warehouses', WarehouseCreation, { code: 'WH1', name: 'Shenzhen' }],
    ['warehouse list', 'GET /admin/v1/warehouses'],
    ['webhook list --tenant tnt_1', `GET ${ENDPOINTS}`],
    [
      'webhook create --tenant tnt_1 --url https://a.example/ --events parcel.weighed',
      `POST ${ENDPOINTS}`,
      EndpointCreation,
      { url: 'https://a.example/', event_types: ['parcel.weighed'] },
    ],
    ['webhook get we_1 --tenant tnt_1', `GET ${ENDPOINTS}/we_1`],
    ['webhook delete we_1 --tenant tnt_1', `DELETE ${ENDPOINTS}/we_1`],
    ['webhook enable we_1 --tenant tnt_1', `PATCH ${ENDPOINTS}/we_1`, EndpointChange, { status: 'enabled' }],
    ['webhook disable we_1 --tenant tnt_1', `PATCH ${ENDPOINTS}/we_1`, EndpointChange, { status: 'disabled' }],
    ['webhook pause we_1 --tenant tnt_1', `PATCH ${ENDPOINTS}/we_1`, EndpointChange, { status: 'paused' }],
    [
      'webhook update we_1 --tenant tnt_1 --filter {"is_terminal":true} --header X-A:b:c --header X-B:d --rate-limit 20',
      `PATCH ${ENDPOINTS}/we_1`,
      EndpointChange,
      { filter: { is_terminal: true }, headers: { 'X-A': 'b:c', 'X-B': 'd' }, rate_limit: 20 },
    ],
    ['webhook update we_1 --tenant tnt_1 --rate-limit off', `PATCH ${ENDPOINTS}/we_1`, EndpointChange, { rate_limit: null }],
    [
      'webhook test we_1 --tenant tnt_1 --type parcel.weighed',
      `POST ${ENDPOINTS}/we_1/test`,
      TestRequest,
      { event_type: 'parcel.weighed' },
    ],
    ['webhook rotate-secret we_1 --tenant tnt_1', `POST ${ENDPOINTS}/we_1/rotate-secret`],
    [
      'webhook rotate-secret we_1 --tenant tnt_1 --end-former',
      `POST ${ENDPOINTS}/we_1/rotate-secret`,
      RotationRequest,
      { end_former_secret: true },
    ],
    ['webhook test we_1 --tenant tnt_1', `POST ${ENDPOINTS}/we_1/test`],
    ['webhook deliveries we_1 --tenant tnt_1 --event evt_1', `GET ${ENDPOINTS}/we_1/deliveries?event_id=evt_1`],
    ['webhook deliveries we_1 --tenant tnt_1 --status failed --limit 5', `GET ${ENDPOINTS}/we_1/deliveries?status=failed&limit=5`],
    ['webhook attempts we_1 dlv_1 --tenant tnt_1', `GET ${ENDPOINTS}/we_1/deliveries/dlv_1/attempts`],
    ['webhook resend we_1 dlv_1 --tenant tnt_1', `POST ${ENDPOINTS}/we_1/deliveries/dlv_1/resend`],
    [
      'webhook replay we_1 --tenant tnt_1 --since 2026-11-21T08:00:00+08:00 --until 2026-11-22 --only all',
      `POST ${ENDPOINTS}/we_1/replay`,
      ReplayRequest,
      { since: '2026-11-21T00:00:00.000Z', until: '2026-11-22T00:00:00.000Z', only: 'all' },
    ],
    ['dlq list --topic forecast.events.v1 --limit 7', 'GET /admin/v1/dead-letters?topic=forecast.events.v1&limit=7'],
    ['dlq redrive --topic forecast.events.v1', 'POST /admin/v1/dead-letters/redrive', RedriveRequest, { topic: 'forecast.events.v1' }],
    [
      'dlq delete --topic forecast.events.v1 --offset 3:17 --offset 0:0 --yes',
      'POST /admin/v1/dead-letters/discard',
      DiscardRequest,
      {
        topic: 'forecast.events.v1',
        dead_letters: [
          { partition: 3, offset: '17' },
          { partition: 0, offset: '0' },
        ],
      },
    ],
    ['unclaimed list', 'GET /admin/v1/unclaimed'],
    ['unclaimed list --warehouse WH1 --reason ambiguous --limit 200', 'GET /admin/v1/warehouses/WH1/unclaimed?limit=100&reason=ambiguous'],
    [
      'unclaimed claim a/b@c:d+e --warehouse WH1 --forecast FC1',
      'POST /admin/v1/warehouses/WH1/unclaimed/a%2Fb%40c%3Ad%2Be/claim',
      UnclaimedClaim,
      { forecast_no: 'FC1' },
    ],
    [
      'unclaimed dismiss e1 --warehouse WH1 --reason Returned',
      'POST /admin/v1/warehouses/WH1/unclaimed/e1/dismiss',
      UnclaimedDismissal,
      { reason: 'Returned' },
    ],
    ['unclaimed history --warehouse WH1 --limit 5', 'GET /admin/v1/resolutions?limit=5&warehouse_code=WH1'],
    ['parcel find SF+1/2', 'GET /admin/v1/parcels?number=SF%2B1%2F2'],
    ['tenant show a/b', 'GET /admin/v1/tenants/a%2Fb'],
    ['tenant rename a/b Acme_2', 'PATCH /admin/v1/tenants/a%2Fb', TenantRenaming, { name: 'Acme_2' }],
    ['warehouse close W/2', 'POST /admin/v1/warehouses/W%2F2/close'],
    ['parcel find SF+1/2 --warehouse WH1', 'GET /admin/v1/warehouses/WH1/lookup?scan=SF%2B1%2F2'],
    ['status', 'GET /admin/v1/status'],
    [
      'operator create li --role support --expires-in 90d',
      'POST /admin/v1/operators',
      OperatorCreation,
      { name: 'li', role: 'support', expires_in_seconds: 7_776_000 },
    ],
    ['operator revoke a/b', 'POST /admin/v1/operators/a%2Fb/revoke'],
    ['tenant limit-numbers tnt_1 none', 'PATCH /admin/v1/tenants/tnt_1/declared-numbers', NumberLimit, { limit: null }],
    ['tenant limit-numbers tnt_1 50', 'PATCH /admin/v1/tenants/tnt_1/declared-numbers', NumberLimit, { limit: 50 }],
    ['tenant usage a/b --from 2026-11-27 --to 2026-11-28', 'GET /admin/v1/tenants/a%2Fb/usage?from_date=2026-11-27&to_date=2026-11-28'],
    [
      'tenant requests tnt_1 --key key_1 --code 42201 --from 2026-11-27 --limit 5',
      'GET /admin/v1/tenants/tnt_1/requests?key_id=key_1&code=42201&created_from=2026-11-27T00%3A00%3A00.000Z&limit=5',
    ],
    [
      'audit --tenant tnt_1 --operator li --action key.created --from 2026-01-31T00:00:00Z --limit 1',
      'GET /admin/v1/audit-log?tenant_id=tnt_1&operator=li&action=key.created&created_from=2026-01-31T00%3A00%3A00Z&limit=1',
    ],
    ['queues', 'GET /admin/v1/queues'],
  ])('%s sends %s', async (command, call, ...[schema, body]) => {
    const [method, url] = call.split(' ');
    const { code, err } = await parcelctl.run(command.split(' '));
    expect([code, err]).toEqual([0, '']);
    const contentType = body ? 'application/json; charset=utf-8' : '';
    expect(parcelctl.server.seen).toMatchObject([{ method, url, authorization: `Bearer ${TOKEN}`, contentType, body }]);
    if (schema) expect(compileValidator(schema).errors(parcelctl.server.seen[0]?.body)).toEqual([]);
  });

  test('list the dead letters of every topic unless one is named', async () => {
    parcelctl.server.succeed({ dead_letters: [{ topic: 'x', value: '{}' }] });
    const { out } = await parcelctl.run(['dlq', 'list', '--json']);
    expect(JSON.parse(out).dead_letters).toHaveLength(parcelctl.server.seen.length);
    expect(parcelctl.server.seen.map(({ url }) => url)).toContain('/admin/v1/dead-letters?topic=warehouse.intake.v1');
  });

  test('replay goes on until all of the range was looked at, and adds up', async () => {
    let calls = 0;
    parcelctl.server.respondWith((_req, res) => {
      calls += 1;
      res.end(
        JSON.stringify({ code: '0', message: 'success', data: { scheduled: 10_000 / calls, next_cursor: calls < 2 ? 'cmore' : null } }),
      );
    });
    const { out } = await parcelctl.run(['webhook', 'replay', 'we_1', ...of, '--since', '2026-11-21', '--json']);
    expect(JSON.parse(out)).toEqual({ scheduled: 15_000 });
    const range = { since: '2026-11-21T00:00:00.000Z' };
    expect(parcelctl.server.seen.map(({ body }) => body)).toEqual([range, { ...range, cursor: 'cmore' }]);
  });

  test('replay by age', async () => {
    await parcelctl.run(['webhook', 'replay', 'we_1', ...of, '--since', '2h']);
    const [seen] = parcelctl.server.seen as unknown as readonly [{ body: { since: string } }];
    expect(Math.abs(Date.now() - 7_200_000 - Date.parse(seen.body.since))).toBeLessThan(60_000);
  });
});
