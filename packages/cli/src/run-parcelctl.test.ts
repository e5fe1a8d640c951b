import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DiscardRequest, KeyIssue, RedriveRequest, TenantCreation, WarehouseCreation } from '@parcelway/contracts/admin-api';
import { UnclaimedClaim, UnclaimedDismissal } from '@parcelway/contracts/unclaimed-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { ReplayRequest, TestRequest } from '@parcelway/contracts/webhook-delivery-api';
import { EndpointChange, EndpointCreation, RotationRequest } from '@parcelway/contracts/webhook-endpoint-api';
import { runParcelctl } from './run-parcelctl.ts';
import { type AdminServer, startAdminServer } from './testing/admin-server.ts';

const TOKEN = 'admin-token-of-a-test';
const ENDPOINTS = '/admin/v1/tenants/tnt_1/webhook-endpoints';
const of = ['--tenant', 'tnt_1'];

let server: AdminServer;
let directory: string;
beforeEach(async () => {
  server = await startAdminServer();
  directory = mkdtempSync(join(tmpdir(), 'parcelctl-'));
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

async function run(args: readonly string[], env: Record<string, string> = { PARCEL_ADMIN_URL: server.url, PARCEL_ADMIN_TOKEN: TOKEN }) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runParcelctl(args, { env, out: (text) => void out.push(text), err: (text) => void err.push(text) });
  return { code, out: out.join(''), err: err.join('') };
}

describe('calls', () => {
  test.each<[string, string[], string, string, object?, object?]>([
    ['tenant create', ['--name', 'Acme'], 'POST', '/admin/v1/tenants', TenantCreation, { name: 'Acme' }],
    ['tenant list', [], 'GET', '/admin/v1/tenants'],
    ['tenant suspend', ['tnt_1'], 'POST', '/admin/v1/tenants/tnt_1/suspend'],
    ['tenant resume', ['tnt_1'], 'POST', '/admin/v1/tenants/tnt_1/resume'],
    [
      'key issue',
      [...of, '--scopes', 'weighing:read, tracking:read', '--expires-in', '90d', '--rate-limit', '20:200', '--description', 'ERP'],
      'POST',
      '/admin/v1/keys',
      KeyIssue,
      {
        tenant_id: 'tnt_1',
        scopes: ['weighing:read', 'tracking:read'],
        expires_in_seconds: 7_776_000,
        rate_limit: { per_second: 20, burst: 200 },
        description: 'ERP',
      },
    ],
    [
      'key issue',
      ['--warehouse', 'WH1', '--rate-limit', 'off'],
      'POST',
      '/admin/v1/keys',
      KeyIssue,
      { warehouse_code: 'WH1', rate_limit: 'off' },
    ],
    ['key list', [], 'GET', '/admin/v1/keys'],
    ['key list', of, 'GET', '/admin/v1/keys?tenant_id=tnt_1'],
    ['key list', ['--warehouse', 'W 1'], 'GET', '/admin/v1/keys?warehouse_code=W+1'],
    ['key revoke', ['key/1'], 'POST', '/admin/v1/keys/key%2F1/revoke'],
    [
      'warehouse add',
      ['--code', 'WH1', '--name', 'Shenzhen'],
      'POST',
      '/admin/v1/warehouses',
      WarehouseCreation,
      { code: 'WH1', name: 'Shenzhen' },
    ],
    ['warehouse list', [], 'GET', '/admin/v1/warehouses'],
    ['webhook list', of, 'GET', ENDPOINTS],
    [
      'webhook create',
      [...of, '--url', 'https://a.example/', '--events', 'parcel.weighed'],
      'POST',
      ENDPOINTS,
      EndpointCreation,
      { url: 'https://a.example/', event_types: ['parcel.weighed'] },
    ],
    ['webhook get', ['we_1', ...of], 'GET', `${ENDPOINTS}/we_1`],
    ['webhook delete', ['we_1', ...of], 'DELETE', `${ENDPOINTS}/we_1`],
    ['webhook enable', ['we_1', ...of], 'PATCH', `${ENDPOINTS}/we_1`, EndpointChange, { status: 'enabled' }],
    ['webhook disable', ['we_1', ...of], 'PATCH', `${ENDPOINTS}/we_1`, EndpointChange, { status: 'disabled' }],
    ['webhook pause', ['we_1', ...of], 'PATCH', `${ENDPOINTS}/we_1`, EndpointChange, { status: 'paused' }],
    [
      'webhook update',
      ['we_1', ...of, '--filter', '{"is_terminal":true}', '--header', 'X-A: b c', '--header', 'X-B:d', '--rate-limit', '20'],
      'PATCH',
      `${ENDPOINTS}/we_1`,
      EndpointChange,
      { filter: { is_terminal: true }, headers: { 'X-A': 'b c', 'X-B': 'd' }, rate_limit: 20 },
    ],
    ['webhook update', ['we_1', ...of, '--rate-limit', 'off'], 'PATCH', `${ENDPOINTS}/we_1`, EndpointChange, { rate_limit: null }],
    [
      'webhook test',
      ['we_1', ...of, '--type', 'parcel.weighed'],
      'POST',
      `${ENDPOINTS}/we_1/test`,
      TestRequest,
      { event_type: 'parcel.weighed' },
    ],
    ['webhook rotate-secret', ['we_1', ...of], 'POST', `${ENDPOINTS}/we_1/rotate-secret`],
    [
      'webhook rotate-secret',
      ['we_1', ...of, '--end-former'],
      'POST',
      `${ENDPOINTS}/we_1/rotate-secret`,
      RotationRequest,
      { end_former_secret: true },
    ],
    ['webhook test', ['we_1', ...of], 'POST', `${ENDPOINTS}/we_1/test`],
    ['webhook deliveries', ['we_1', ...of, '--event', 'evt_1'], 'GET', `${ENDPOINTS}/we_1/deliveries?event_id=evt_1`],
    [
      'webhook deliveries',
      ['we_1', ...of, '--status', 'failed', '--limit', '5'],
      'GET',
      `${ENDPOINTS}/we_1/deliveries?status=failed&limit=5`,
    ],
    ['webhook attempts', ['we_1', 'dlv_1', ...of], 'GET', `${ENDPOINTS}/we_1/deliveries/dlv_1/attempts`],
    ['webhook resend', ['we_1', 'dlv_1', ...of], 'POST', `${ENDPOINTS}/we_1/deliveries/dlv_1/resend`],
    [
      'webhook replay',
      ['we_1', ...of, '--since', '2026-11-21T08:00:00+08:00', '--until', '2026-11-22', '--only', 'all'],
      'POST',
      `${ENDPOINTS}/we_1/replay`,
      ReplayRequest,
      { since: '2026-11-21T00:00:00.000Z', until: '2026-11-22T00:00:00.000Z', only: 'all' },
    ],
    ['dlq list', ['--topic', 'forecast.events.v1', '--limit', '7'], 'GET', '/admin/v1/dead-letters?topic=forecast.events.v1&limit=7'],
    [
      'dlq redrive',
      ['--topic', 'forecast.events.v1'],
      'POST',
      '/admin/v1/dead-letters/redrive',
      RedriveRequest,
      { topic: 'forecast.events.v1' },
    ],
    [
      'dlq discard',
      ['--topic', 'forecast.events.v1', '--offset', '3:17', '--offset', '0:0', '--yes'],
      'POST',
      '/admin/v1/dead-letters/discard',
      DiscardRequest,
      {
        topic: 'forecast.events.v1',
        dead_letters: [
          { partition: 3, offset: '17' },
          { partition: 0, offset: '0' },
        ],
      },
    ],
    ['unclaimed list', [], 'GET', '/admin/v1/unclaimed'],
    [
      'unclaimed list',
      ['--warehouse', 'WH1', '--reason', 'ambiguous', '--limit', '200'],
      'GET',
      '/admin/v1/warehouses/WH1/unclaimed?limit=100&reason=ambiguous',
    ],
    [
      'unclaimed claim',
      ['a/b@c:d+e', '--warehouse', 'WH1', '--forecast', 'FC1'],
      'POST',
      '/admin/v1/warehouses/WH1/unclaimed/a%2Fb%40c%3Ad%2Be/claim',
      UnclaimedClaim,
      { forecast_no: 'FC1' },
    ],
    [
      'unclaimed dismiss',
      ['e1', '--warehouse', 'WH1', '--reason', 'Returned'],
      'POST',
      '/admin/v1/warehouses/WH1/unclaimed/e1/dismiss',
      UnclaimedDismissal,
      { reason: 'Returned' },
    ],
    ['unclaimed history', ['--warehouse', 'WH1', '--limit', '5'], 'GET', '/admin/v1/resolutions?limit=5&warehouse_code=WH1'],
    ['parcel find', ['SF 1/2', '--warehouse', 'WH1'], 'GET', '/admin/v1/warehouses/WH1/lookup?scan=SF+1%2F2'],
    ['status', [], 'GET', '/admin/v1/status'],
  ])('%s %p is %s %s', async (command, args, method, url, ...[schema, body]) => {
    const { code, err } = await run([...command.split(' '), ...args]);
    expect([code, err]).toEqual([0, '']);
    const contentType = body ? 'application/json; charset=utf-8' : '';
    expect(server.seen).toEqual([{ method, url, authorization: `Bearer ${TOKEN}`, contentType, body }]);
    if (schema) expect(compileValidator(schema).errors(server.seen[0]?.body)).toEqual([]);
  });

  test('list the dead letters of every topic unless one is named', async () => {
    server.succeed({ dead_letters: [{ topic: 'x', value: '{}' }] });
    const { out } = await run(['dlq', 'list', '--json']);
    expect(JSON.parse(out).dead_letters).toHaveLength(server.seen.length);
    expect(server.seen.map(({ url }) => url)).toContain('/admin/v1/dead-letters?topic=warehouse.intake.v1');
  });

  test('find a parcel at every warehouse unless one is named', async () => {
    server.respondWith((req, res) => {
      const warehouses = { warehouses: [{ code: 'WH1' }, { code: 'W 2' }] };
      const found = { scan: 'SF1', candidates: [{ forecast: { forecast_no: `FC of ${req.url}` }, matched_by: 'tracking_number' }] };
      res.end(JSON.stringify({ code: '0', message: 'success', data: req.url === '/admin/v1/warehouses' ? warehouses : found }));
    });
    const { out } = await run(['parcel', 'find', 'SF1', '--json']);
    expect(JSON.parse(out).candidates.map(({ forecast }: { forecast: { forecast_no: string } }) => forecast.forecast_no)).toEqual([
      'FC of /admin/v1/warehouses/WH1/lookup?scan=SF1',
      'FC of /admin/v1/warehouses/W%202/lookup?scan=SF1',
    ]);
  });

  test('replay goes on until all of the range was looked at, and adds up', async () => {
    let calls = 0;
    server.respondWith((_req, res) => {
      calls += 1;
      res.end(
        JSON.stringify({ code: '0', message: 'success', data: { scheduled: 10_000 / calls, next_cursor: calls < 2 ? 'cmore' : null } }),
      );
    });
    const { out } = await run(['webhook', 'replay', 'we_1', ...of, '--since', '2026-11-21', '--json']);
    expect(JSON.parse(out)).toEqual({ scheduled: 15_000 });
    const range = { since: '2026-11-21T00:00:00.000Z' };
    expect(server.seen.map(({ body }) => body)).toEqual([range, { ...range, cursor: 'cmore' }]);
  });

  test('replay by age', async () => {
    await run(['webhook', 'replay', 'we_1', ...of, '--since', '2h']);
    const [seen] = server.seen as unknown as readonly [{ body: { since: string } }];
    expect(Math.abs(Date.now() - 7_200_000 - Date.parse(seen.body.since))).toBeLessThan(60_000);
  });
});

describe('output', () => {
  test('--version prints the version, without a platform', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(await run(['--version'], {})).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test('a second tenant of one name comes with a warning', async () => {
    const created = { id: 'tnt_2', name: 'Acme', status: 'active', create_time: 'now' };
    server.succeed({ ...created, warnings: [{ field: 'name', message: 'Another tenant has the same name: tnt_1' }] });
    expect((await run(['tenant', 'create', '--name', 'Acme'])).out).toMatch(
      /tnt_2[\s\S]*\nWarning: Another tenant has the same name: tnt_1\n$/,
    );
    server.succeed({ ...created, warnings: [] });
    expect((await run(['tenant', 'create', '--name', 'Acme'])).out).not.toMatch(/warning/i);
  });

  const key = { key_id: 'key_1', prefix: 'pf_test_ab', tenant_id: 'tnt_1', scopes: ['weighing:read'], description: '', revoke_time: null };

  test.each([[['--json', 'key', 'issue', ...of]], [['key', 'issue', ...of, '--json']], [['key', '--json', 'issue', ...of]]])(
    'with --json, wherever it stands, is the data alone: %p',
    async (args) => {
      server.succeed({ ...key, key: 'pf_test_secret' });
      const { out, err } = await run(args);
      expect(JSON.parse(out)).toEqual({ ...key, key: 'pf_test_secret' });
      expect(out.trimEnd()).not.toContain('\n');
      expect(err).toBe('');
    },
  );

  test('for people shows a new key and says that it is shown once', async () => {
    server.succeed({ ...key, key: 'pf_test_secret' });
    const { out } = await run(['key', 'issue', ...of]);
    expect(out).toMatch(/^key_id {7}key_1$/m);
    expect(out).toMatch(/^key {10}pf_test_secret$/m);
    expect(out).toContain('not shown again');
  });

  test('for people sets out what is in an endpoint, and says of a slow-down until when', async () => {
    const endpoint = {
      endpoint_id: 'ep_1',
      event_types: ['parcel.weighed', 'tracking.changed'],
      filter: {},
      health: { state: 'failing', slowdown_end_time: '2026-11-21T08:00:40+00:00' },
      warnings: [],
    };
    server.succeed(endpoint);
    expect((await run(['webhook', 'get', 'ep_1', ...of])).out).toBe(
      [
        'endpoint_id               ep_1',
        'event_types               parcel.weighed,tracking.changed',
        'filter                    {}',
        'health.state              failing',
        'health.slowdown_end_time  2026-11-21T08:00:40+00:00',
        '',
      ].join('\n'),
    );
    server.succeed({ ...endpoint, warnings: [{ field: 'x', message: 'x is not known' }] });
    expect((await run(['webhook', 'get', 'ep_1', ...of])).out).toContain('{"field":"x","message":"x is not known"}');
    server.succeed({ endpoints: [endpoint] });
    expect((await run(['webhook', 'list', ...of])).out).toContain('failing, slowed down until 2026-11-21T08:00:40+00:00');
  });

  test('for people is an aligned table, and nothing in it steers the terminal', async () => {
    server.succeed({
      tenants: [
        { id: 'tnt_1', name: 'Acme', status: 'active', create_time: '2026-11-21T00:00:00+00:00' },
        { id: 'tnt_22', name: '深圳\u001b[31m', status: 'suspended', create_time: '2026-11-21T00:00:00+00:00' },
      ],
    });
    expect((await run(['tenant', 'list'])).out).toBe(
      [
        'TENANT  NAME       STATUS     CREATED',
        'tnt_1   Acme       active     2026-11-21T00:00:00+00:00',
        'tnt_22  深圳 [31m  suspended  2026-11-21T00:00:00+00:00',
        '',
      ].join('\n'),
    );
  });

  test('tells valid keys from revoked and expired ones', async () => {
    const keys = [key, { ...key, revoke_time: '2026-01-01T00:00:00Z' }, { ...key, expire_time: '2020-01-01T00:00:00Z' }];
    server.succeed({ keys });
    const { out } = await run(['key', 'list']);
    expect(out.split('\n').map((line) => /valid|revoked|expired/.exec(line)?.[0])).toEqual([
      undefined,
      'valid',
      'revoked',
      'expired',
      undefined,
    ]);
  });

  test.each([
    'tenant list',
    'key list',
    'warehouse list',
    'dlq list',
    'unclaimed list',
    'unclaimed list --warehouse W',
    'unclaimed history',
    'parcel find S --warehouse W',
    'webhook list --tenant t',
    'webhook deliveries e --tenant t',
  ])('of an empty %s is a sentence', async (command) => {
    const { out, code } = await run(command.split(' '));
    expect(out).toMatch(/^(There are no|The tenant has no)[^\n]*\n$/);
    expect(code).toBe(0);
  });

  test('of status names what is not ready, with exit code 1', async () => {
    const data = { status: 'not ready', services: { gateway: 'ready', webhook: 'not ready' } };
    server.fail(503, '50301', 'Temporarily unavailable; try again', data);
    const people = await run(['status']);
    expect([people.code, people.out]).toEqual([1, 'Not ready: Temporarily unavailable; try again\ngateway  ready\nwebhook  not ready\n']);
    const machine = await run(['status', '--json']);
    expect([machine.code, JSON.parse(machine.out)]).toEqual([1, data]);
  });
});

describe('failures', () => {
  test('of the platform go to standard error with code, request id and what to do', async () => {
    server.fail(404, '40403', 'The tenant does not exist');
    const { code, out, err } = await run(['tenant', 'suspend', 'tnt_9', '--json']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^The tenant does not exist \(40403, request req_1\)\n.*tenant list/);
  });

  test('of fields are listed one by one', async () => {
    server.fail(422, '42201', 'Field validation failed', { errors: [{ field: 'name', rule: 'max_length', message: 'name is too long' }] });
    const { code, err } = await run(['tenant', 'create', '--name', 'x']);
    expect(code).toBe(1);
    expect(err).toContain('\n  - name is too long\n');
  });

  test('of the token say where it comes from and do not show it', async () => {
    server.fail(401, '40003', 'The admin token is not valid');
    const { code, err } = await run(['tenant', 'list']);
    expect(code).toBe(1);
    expect(err).toContain('PARCEL_ADMIN_TOKEN');
    expect(err).not.toContain(TOKEN);
  });

  test.each<[string, string[]]>([
    ['no command', []],
    ['an unknown command', ['tenants']],
    ['an unknown option', ['tenant', 'list', '--all']],
    ['a missing option', ['tenant', 'create']],
    ['a missing argument', ['key', 'revoke']],
    ['too many arguments', ['tenant', 'suspend', 'a', 'b']],
    ['a key for nobody', ['key', 'issue']],
    ['a key for two', ['key', 'issue', ...of, '--warehouse', 'WH1']],
    ['an unknown scope', ['key', 'issue', ...of, '--scopes', 'all']],
    ['no scope', ['key', 'issue', ...of, '--scopes', ',']],
    ['no duration', ['key', 'issue', ...of, '--expires-in', '90']],
    ['no time at all', ['key', 'issue', ...of, '--expires-in', '0s']],
    ['no rate', ['key', 'issue', ...of, '--rate-limit', '20']],
    ['a rate of nothing', ['key', 'issue', ...of, '--rate-limit', '0:5']],
    ['an unknown topic', ['dlq', 'redrive', '--topic', 'nothing']],
    ['no topic', ['dlq', 'redrive']],
    ['a discard of all topics', ['dlq', 'discard', '--yes']],
    ['a discard that nobody can be asked about', ['dlq', 'discard', '--topic', 'forecast.events.v1']],
    ['no position', ['dlq', 'discard', '--topic', 'forecast.events.v1', '--offset', '17', '--yes']],
    ['both a count and a position', ['dlq', 'discard', '--topic', 'forecast.events.v1', '--offset', '3:17', '--limit', '2', '--yes']],
    ['too many to discard', ['dlq', 'discard', '--topic', 'forecast.events.v1', '--limit', '1001', '--yes']],
    ['a filter that is no object', ['webhook', 'update', 'we_1', ...of, '--filter', '[1]']],
    ['a header without a colon', ['webhook', 'update', 'we_1', ...of, '--header', 'X-A']],
    ['a time without offset', ['webhook', 'replay', 'we_1', ...of, '--since', '2026-11-21T08:00:00']],
    ['no number', ['unclaimed', 'list', '--limit', '0']],
    ['a claim without a forecast', ['unclaimed', 'claim', 'e1', '--warehouse', 'WH1']],
    ['a dismissal without a reason', ['unclaimed', 'dismiss', 'e1', '--warehouse', 'WH1']],
  ])('of usage, as %s, call nothing and end with 2', async (_what, args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toBe('');
    expect(server.seen).toEqual([]);
  });

  test.each<[string, Parameters<AdminServer['respondWith']>[0]]>([
    ['a web page', (_req, res) => void res.end('<html></html>')],
    ['another JSON', (_req, res) => void res.end('{"status":"ok"}')],
    ['null', (_req, res) => void res.end('null')],
    ['a closed connection', (req) => void req.socket.destroy()],
  ])('by something else that responds with %s end with 3', async (_what, handle) => {
    server.respondWith(handle);
    const { code, err } = await run(['tenant', 'list']);
    expect(code).toBe(3);
    expect(err).toContain('PARCEL_ADMIN_URL');
  });
});

describe('help', () => {
  test('is no failure, and tells how the platform is found', async () => {
    const { code, out, err } = await run(['--help']);
    expect([code, err]).toEqual([0, '']);
    for (const word of ['PARCEL_ADMIN_URL', 'DATA_DIR', 'Exit codes', 'tenant', 'dlq']) expect(out).toContain(word);
    expect((await run(['webhook', 'replay', '--help'])).out).toContain('--since <time>');
  });
});

describe('the installation', () => {
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  const list = (env: Record<string, string> = {}) => run(['tenant', 'list'], { DATA_DIR: directory, ...env });

  test('is found by quickstart.json, or by admin.json when there is none', async () => {
    write('admin.json', { url: `${server.url}/`, token: 'of-admin-json' });
    expect((await list()).code).toBe(0);
    write('quickstart.json', { base_url: 'https://localhost:8443', admin: { url: server.url, token: 'of-quickstart' } });
    expect((await list()).code).toBe(0);
    expect(server.seen.map(({ authorization, url }) => [authorization, url])).toEqual([
      ['Bearer of-admin-json', '/admin/v1/tenants'],
      ['Bearer of-quickstart', '/admin/v1/tenants'],
    ]);
  });

  test('is the one that the environment names, whatever lies in the directory', async () => {
    write('quickstart.json', { admin: { url: 'http://127.0.0.1:1', token: 'x' } });
    expect((await list({ PARCEL_ADMIN_URL: server.url, PARCEL_ADMIN_TOKEN: TOKEN })).code).toBe(0);
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
    ['does not run', { 'admin.json': { url: 'http://127.0.0.1:1', token: 'x' } }, {}, /does not respond \(ECONNREFUSED\)/],
  ])('that %s ends with 3 and says what to do', async (_what, files, env, message) => {
    for (const [name, content] of Object.entries(files)) write(name, content);
    const { code, out, err } = await list(env);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(message);
    expect(err).toContain('npm start');
  });
});
