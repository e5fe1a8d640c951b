import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer, TOKEN } from '../testing/parcelctl-with-server.ts';

/* What the command line becomes in a request. tools/docs/src/parcelctl.test.ts holds routes and fields against the API. */

const ENDPOINT = '/admin/v1/tenants/tnt_1/webhook-endpoints/we_1';
const of = ['--tenant', 'tnt_1'];
const parcelctl = parcelctlWithServer();

describe('requests', () => {
  test.each<[command: string, call: string, body?: object]>([
    ['tenant list', 'GET /admin/v1/tenants?limit=1000'],
    ['tenant create --name Acme', 'POST /admin/v1/tenants', { name: 'Acme' }],
    ['tenant show a/b', 'GET /admin/v1/tenants/a%2Fb'],
    ['tenant retention tnt_1', 'GET /admin/v1/tenants/tnt_1/retention'],
    [
      'tenant retention tnt_1 --forecast-days 400 --file-days installation --yes',
      'PATCH /admin/v1/tenants/tnt_1/retention',
      { forecast_days: 400, file_days: null },
    ],
    [
      'tenant console-link tnt_1 --scopes forecasts:write,weighing:read --minutes 15',
      'POST /admin/v1/tenants/tnt_1/console-links',
      { scopes: ['forecasts:write', 'weighing:read'], expires_in_seconds: 900 },
    ],
    ['tenant limit-numbers tnt_1 none', 'PATCH /admin/v1/tenants/tnt_1/declared-numbers', { limit: null }],
    ['tenant limit-numbers tnt_1 50', 'PATCH /admin/v1/tenants/tnt_1/declared-numbers', { limit: 50 }],
    [
      'tenant requests tnt_1 --key key_1 --code 42201 --from 2026-11-27 --limit 5',
      'GET /admin/v1/tenants/tnt_1/requests?key_id=key_1&code=42201&created_from=2026-11-27T00%3A00%3A00.000Z&limit=5',
    ],
    [
      'key issue --tenant tnt_1 --expires-in 90d --rate-limit 20:200 --allowed-addresses 203.0.113.7,2001:db8::/32',
      'POST /admin/v1/keys',
      {
        tenant_id: 'tnt_1',
        expires_in_seconds: 7_776_000,
        rate_limit: { per_second: 20, burst: 200 },
        allowed_addresses: ['203.0.113.7', '2001:db8::/32'],
      },
    ],
    ['key issue --warehouse WH1 --rate-limit off', 'POST /admin/v1/keys', { warehouse_code: 'WH1', rate_limit: 'off' }],
    [
      'key change key_1 --expires-in never --allowed-addresses any',
      'PATCH /admin/v1/keys/key_1',
      { expires_in_seconds: null, allowed_addresses: [] },
    ],
    ['key rotate key_1', 'POST /admin/v1/keys/key_1/rotate', {}],
    ['key rotate key_1 --overlap 0s', 'POST /admin/v1/keys/key_1/rotate', { overlap_seconds: 0 }],
    ['webhook pause we_1 --tenant tnt_1', `PATCH ${ENDPOINT}`, { status: 'paused' }],
    [
      'webhook update we_1 --tenant tnt_1 --filter {"is_terminal":true} --header X-A:b:c --header X-B:d --rate-limit 20',
      `PATCH ${ENDPOINT}`,
      { filter: { is_terminal: true }, headers: { 'X-A': 'b:c', 'X-B': 'd' }, rate_limit: 20 },
    ],
    ['webhook update we_1 --tenant tnt_1 --rate-limit off', `PATCH ${ENDPOINT}`, { rate_limit: null }],
    ['webhook rotate-secret we_1 --tenant tnt_1', `POST ${ENDPOINT}/rotate-secret`],
    ['webhook rotate-secret we_1 --tenant tnt_1 --end-former', `POST ${ENDPOINT}/rotate-secret`, { end_former_secret: true }],
    ['webhook deliveries we_1 --tenant tnt_1 --status failed --limit 5', `GET ${ENDPOINT}/deliveries?status=failed&limit=5`],
    [
      'webhook replay we_1 --tenant tnt_1 --since 2026-11-21T08:00:00+08:00 --until 2026-11-22 --only all',
      `POST ${ENDPOINT}/replay`,
      { since: '2026-11-21T00:00:00.000Z', until: '2026-11-22T00:00:00.000Z', only: 'all' },
    ],
    [
      'dlq delete --topic forecast.events.v1 --offset 3:17 --offset 0:0 --yes',
      'POST /admin/v1/dead-letters/discard',
      {
        topic: 'forecast.events.v1',
        dead_letters: [
          { partition: 3, offset: '17' },
          { partition: 0, offset: '0' },
        ],
      },
    ],
    ['unclaimed list --warehouse WH1 --reason ambiguous --limit 200', 'GET /admin/v1/warehouses/WH1/unclaimed?limit=100&reason=ambiguous'],
    [
      'unclaimed claim a/b@c:d+e --warehouse WH1 --forecast FC1',
      'POST /admin/v1/warehouses/WH1/unclaimed/a%2Fb%40c%3Ad%2Be/claim',
      { forecast_no: 'FC1' },
    ],
    ['parcel find SF+1/2', 'GET /admin/v1/parcels?number=SF%2B1%2F2'],
    ['parcel find SF+1/2 --warehouse WH1', 'GET /admin/v1/warehouses/WH1/lookup?scan=SF%2B1%2F2'],
  ])('%s sends %s', async (command, call, ...[body]) => {
    const [method, url] = call.split(' ');
    const { code, err } = await parcelctl.run(command.split(' '));
    expect([code, err]).toEqual([0, '']);
    const contentType = body ? 'application/json; charset=utf-8' : '';
    expect(parcelctl.server.seen).toMatchObject([{ method, url, authorization: `Bearer ${TOKEN}`, contentType, body }]);
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
