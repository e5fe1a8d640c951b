import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { AdminServer } from './testing/admin-server.ts';
import { parcelctlWithServer, TOKEN } from './testing/parcelctl-with-server.ts';

const of = ['--tenant', 'tnt_1'];
const parcelctl = parcelctlWithServer();

describe('output', () => {
  test('--version prints the version, without a platform', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(await parcelctl.run(['--version'], { env: {} })).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test('a second tenant of one name comes with a warning', async () => {
    const created = { id: 'tnt_2', name: 'Acme', status: 'active', create_time: 'now' };
    parcelctl.server.succeed({ ...created, warnings: [{ field: 'name', message: 'Another tenant has the same name: tnt_1' }] });
    expect((await parcelctl.run(['tenant', 'create', '--name', 'Acme'])).out).toMatch(
      /tnt_2[\s\S]*\nWarning: Another tenant has the same name: tnt_1\n$/,
    );
    parcelctl.server.succeed({ ...created, warnings: [] });
    expect((await parcelctl.run(['tenant', 'create', '--name', 'Acme'])).out).not.toMatch(/warning/i);
  });

  test('of status names what is not ready, with exit code 1', async () => {
    const data = { status: 'not ready', services: { gateway: 'ready', webhook: 'not ready' } };
    parcelctl.server.fail(503, '50301', 'Temporarily unavailable; try again', data);
    const people = await parcelctl.run(['status']);
    expect([people.code, people.out]).toEqual([1, 'Not ready: Temporarily unavailable; try again\ngateway  ready\nwebhook  not ready\n']);
    const machine = await parcelctl.run(['status', '--json']);
    expect([machine.code, JSON.parse(machine.out)]).toEqual([1, { ...data, problem: 'Temporarily unavailable; try again' }]);
  });

  const key = { key_id: 'key_1', prefix: 'pf_test_ab', tenant_id: 'tnt_1', scopes: ['weighing:read'], description: '', revoke_time: null };

  test.each([[['--json', 'key', 'issue', ...of]], [['key', 'issue', ...of, '--json']], [['key', '--json', 'issue', ...of]]])(
    'with --json, in any position, is only the data: %p',
    async (args) => {
      parcelctl.server.succeed({ ...key, key: 'pf_test_secret' });
      const { out, err } = await parcelctl.run(args);
      expect(JSON.parse(out)).toEqual({ ...key, key: 'pf_test_secret' });
      expect(out.trimEnd()).not.toContain('\n');
      expect(err).toBe('');
    },
  );

  test('for people shows a new key and says that it is shown once', async () => {
    parcelctl.server.succeed({ ...key, key: 'pf_test_secret' });
    const { out } = await parcelctl.run(['key', 'issue', ...of]);
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
    parcelctl.server.succeed(endpoint);
    expect((await parcelctl.run(['webhook', 'get', 'ep_1', ...of])).out).toBe(
      [
        'endpoint_id               ep_1',
        'event_types               parcel.weighed,tracking.changed',
        'filter                    {}',
        'health.state              failing',
        'health.slowdown_end_time  2026-11-21T08:00:40+00:00',
        '',
      ].join('\n'),
    );
    parcelctl.server.succeed({ ...endpoint, warnings: [{ field: 'x', message: 'x is not known' }] });
    expect((await parcelctl.run(['webhook', 'get', 'ep_1', ...of])).out).toContain('{"field":"x","message":"x is not known"}');
    parcelctl.server.succeed({ endpoints: [endpoint] });
    expect((await parcelctl.run(['webhook', 'list', ...of])).out).toContain('failing, slowed down until 2026-11-21T08:00:40+00:00');
  });

  test('for people is an aligned table, and nothing in it steers the terminal', async () => {
    parcelctl.server.succeed({
      tenants: [
        { id: 'tnt_1', name: 'Acme', status: 'active', create_time: '2026-11-21T00:00:00+00:00' },
        { id: 'tnt_22', name: '深圳\u001b[31m', status: 'suspended', create_time: '2026-11-21T00:00:00+00:00' },
      ],
    });
    expect((await parcelctl.run(['tenant', 'list'])).out).toBe(
      [
        'TENANT  NAME       STATUS     CREATED',
        'tnt_1   Acme       active     2026-11-21T00:00:00+00:00',
        'tnt_22  深圳 [31m  suspended  2026-11-21T00:00:00+00:00',
        '',
      ].join('\n'),
    );
  });

  test('distinguishes valid keys from revoked and expired ones', async () => {
    const keys = [key, { ...key, revoke_time: '2026-01-01T00:00:00Z' }, { ...key, expire_time: '2020-01-01T00:00:00Z' }];
    parcelctl.server.succeed({ keys });
    const { out } = await parcelctl.run(['key', 'list']);
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
    const { out, code } = await parcelctl.run(command.split(' '));
    expect(out).toMatch(/^(There are no|The tenant has no)[^\n]*\n$/);
    expect(code).toBe(0);
  });
});

describe('help', () => {
  test('is not a failure, and says how the platform is found', async () => {
    const { code, out, err } = await parcelctl.run(['--help']);
    expect([code, err]).toEqual([0, '']);
    for (const word of ['PARCEL_ADMIN_URL', 'DATA_DIR', 'Exit codes', 'tenant', 'dlq']) expect(out).toContain(word);
    expect((await parcelctl.run(['webhook', 'replay', '--help'])).out).toContain('--since <time>');
  });
});

describe('failures', () => {
  test('of the platform go to standard error with code, request id and what to do', async () => {
    parcelctl.server.fail(404, '40403', 'The tenant does not exist');
    const { code, out, err } = await parcelctl.run(['tenant', 'suspend', 'tnt_9', '--json']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^The tenant does not exist \(40403, request req_1\)\n.*tenant list/);
  });

  test('of fields are listed one by one', async () => {
    parcelctl.server.fail(422, '42201', 'Field validation failed', {
      errors: [{ field: 'name', rule: 'max_length', message: 'name is too long' }],
    });
    const { code, err } = await parcelctl.run(['tenant', 'create', '--name', 'x']);
    expect(code).toBe(1);
    expect(err).toContain('\n  - name is too long\n');
  });

  test('of the token say where it comes from and do not show it', async () => {
    parcelctl.server.fail(401, '40003', 'The admin token is not valid');
    const { code, err } = await parcelctl.run(['tenant', 'list']);
    expect(code).toBe(1);
    expect(err).toContain('PARCEL_ADMIN_TOKEN');
    expect(err).not.toContain(TOKEN);
  });

  test.each<[string, string[]]>([
    ['no command', []],
    ['a missing option', ['tenant', 'create']],
    ['a key for nobody', ['key', 'issue']],
    ['a key for two', ['key', 'issue', ...of, '--warehouse', 'WH1']],
    ['an empty list', ['key', 'issue', ...of, '--scopes', ',']],
    ['no duration', ['key', 'issue', ...of, '--expires-in', '90']],
    ['no rate', ['key', 'issue', ...of, '--rate-limit', '20']],
    ['nothing to change', ['key', 'change', 'key_1']],
    ['an unknown role', ['operator', 'create', 'li', '--role', 'root']],
    ['a count of nothing', ['tenant', 'requests', 'tnt_1', '--limit', '0']],
    ['limits and standard ones', ['connection', 'update', 'c', '--calls-per-day', '5', '--standard-limits']],
    ['no number', ['connection', 'update', 'c', '--requests-per-second', '1e3']],
    ['a connection as it is', ['connection', 'update', 'c']],
    ['a deletion in all topics', ['dlq', 'delete', '--yes']],
    ['a deletion that nobody can confirm', ['dlq', 'delete', '--topic', 'forecast.events.v1']],
    ['no position', ['dlq', 'delete', '--topic', 'forecast.events.v1', '--offset', '17', '--yes']],
    ['both a count and a position', ['dlq', 'delete', '--topic', 'forecast.events.v1', '--offset', '3:17', '--limit', '2', '--yes']],
    ['a filter that is no object', ['webhook', 'update', 'we_1', ...of, '--filter', '[1]']],
    ['a header without a colon', ['webhook', 'update', 'we_1', ...of, '--header', 'X-A']],
    ['a time without offset', ['webhook', 'replay', 'we_1', ...of, '--since', '2026-11-21T08:00:00']],
  ])('of usage, as %s, call nothing and end with 2', async (_what, args) => {
    const { code, out, err } = await parcelctl.run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toBe('');
    expect(parcelctl.server.seen).toEqual([]);
  });

  test.each<[string, Parameters<AdminServer['respondWith']>[0]]>([
    ['a web page', (_req, res) => void res.end('<html></html>')],
    ['another JSON', (_req, res) => void res.end('{"status":"ok"}')],
    ['null', (_req, res) => void res.end('null')],
    ['a closed connection', (req) => void req.socket.destroy()],
  ])('by something else that responds with %s end with 3', async (_what, handle) => {
    parcelctl.server.respondWith(handle);
    const { code, err } = await parcelctl.run(['tenant', 'list']);
    expect(code).toBe(3);
    expect(err).toContain('PARCEL_ADMIN_URL');
  });
});
