import { describe, expect, test } from '@jest/globals';
import type { AdminServer } from './testing/admin-server.ts';
import { parcelctlWithServer, TOKEN } from './testing/parcelctl-with-server.ts';

const of = ['--tenant', 'tnt_1'];
const parcelctl = parcelctlWithServer();

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
    ['an unknown scope', ['key', 'issue', ...of, '--scopes', 'all']],
    ['no scope', ['key', 'issue', ...of, '--scopes', ',']],
    ['no duration', ['key', 'issue', ...of, '--expires-in', '90']],
    ['no time at all', ['key', 'issue', ...of, '--expires-in', '0s']],
    ['no address', ['key', 'issue', ...of, '--allowed-addresses', 'example.com']],
    ['nothing to change', ['key', 'change', 'key_1']],
    ['no lifetime', ['key', 'change', 'key_1', '--expires-in', 'ever']],
    ['an unknown role', ['operator', 'create', 'li', '--role', 'root']],
    ['too many minutes', ['tenant', 'console-link', 'tnt_1', '--minutes', '61']],
    ['half a minute', ['tenant', 'console-link', 'tnt_1', '--minutes', '1.5']],
    ['a day that does not exist', ['tenant', 'usage', 'tnt_1', '--from', '2026-02-30']],
    ['an unknown code', ['tenant', 'requests', 'tnt_1', '--code', '1']],
    ['too many entries', ['tenant', 'requests', 'tnt_1', '--limit', '1001']],
    ['limits and standard ones', ['connection', 'update', 'c', '--calls-per-day', '5', '--standard-limits']],
    ['no limit', ['connection', 'update', 'c', '--calls-per-day', '0']],
    ['no number of calls', ['connection', 'update', 'c', '--requests-per-second', '1e3']],
    ['a connection as it is', ['connection', 'update', 'c']],
    ['no overlap', ['key', 'rotate', 'key_1', '--overlap', 'long']],
    ['no rate', ['key', 'issue', ...of, '--rate-limit', '20']],
    ['a rate of nothing', ['key', 'issue', ...of, '--rate-limit', '0:5']],
    ['an unknown topic', ['dlq', 'redrive', '--topic', 'nothing']],
    ['a deletion in all topics', ['dlq', 'delete', '--yes']],
    ['a deletion that nobody can confirm', ['dlq', 'delete', '--topic', 'forecast.events.v1']],
    ['no position', ['dlq', 'delete', '--topic', 'forecast.events.v1', '--offset', '17', '--yes']],
    ['both a count and a position', ['dlq', 'delete', '--topic', 'forecast.events.v1', '--offset', '3:17', '--limit', '2', '--yes']],
    ['too many to delete', ['dlq', 'delete', '--topic', 'forecast.events.v1', '--limit', '1001', '--yes']],
    ['a filter that is no object', ['webhook', 'update', 'we_1', ...of, '--filter', '[1]']],
    ['a header without a colon', ['webhook', 'update', 'we_1', ...of, '--header', 'X-A']],
    ['a time without offset', ['webhook', 'replay', 'we_1', ...of, '--since', '2026-11-21T08:00:00']],
    ['no number', ['unclaimed', 'list', '--limit', '0']],
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
