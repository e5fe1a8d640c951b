import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from './testing/parcelctl-with-server.ts';

const of = ['--tenant', 'tnt_1'];
const parcelctl = parcelctlWithServer();

describe('output', () => {
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
