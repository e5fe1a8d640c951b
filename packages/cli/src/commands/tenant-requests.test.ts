import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();

const call = {
  request_id: 'req_1',
  time: '2026-11-28T08:00:00.000+00:00',
  method: 'POST',
  route: '/open/v1/forecasts',
  path: '/open/v1/forecasts',
  status: 422,
  code: '42201',
  message: 'due_date is required',
  data: { errors: [{ field: 'due_date', rule: 'required', message: 'due_date is required' }] },
  key_id: 'key_1',
  duration_ms: 4,
};
const closed = { ...call, request_id: 'req_2', route: null, path: '/open/v1/nothing', status: 499, code: null, message: null, data: null };

/** Serves pages one after the other. */
function serve(...pages: readonly object[]): void {
  const left = [...pages];
  parcelctl.server.respondWith((_req, res) => void res.end(JSON.stringify({ code: '0', message: 'success', data: left.shift() })));
}

describe('parcelctl tenant requests', () => {
  test('shows a call a line', async () => {
    serve({ requests: [closed, call], next_cursor: null });
    const { code, out } = await parcelctl.run(['tenant', 'requests', 'a/b']);
    expect(code).toBe(0);
    expect(out).toMatch(/^TIME +METHOD +ROUTE +CODE +MESSAGE +KEY +REQUEST\n/);
    expect(out).toMatch(/ POST +\/open\/v1\/nothing +499 +- +key_1 +req_2\n/);
    expect(out).toMatch(/ POST +\/open\/v1\/forecasts +42201 +due_date is required +key_1 +req_1\n$/);
    expect(parcelctl.server.seen).toMatchObject([{ method: 'GET', url: '/admin/v1/tenants/a%2Fb/requests?limit=20' }]);
  });

  test('shows all of the call with a request id, and each wrong field in a line of its own', async () => {
    const hostile = { ...call, data: { errors: [{ message: 'a\u001b[2Jb' }, { message: 'second' }] } };
    const role = { ...call, data: { required_scope: 'weighing:read' } };
    serve({ requests: [hostile, role], next_cursor: null });
    const { out } = await parcelctl.run(['tenant', 'requests', 'tnt_1', '--request-id', 'req_1']);
    expect(out).toMatch(/^request_id +req_1\n[\s\S]*duration_ms +4\n {2}- a \[2Jb\n {2}- second\n\nrequest_id +req_1\n/);
    expect(out).toMatch(/\ndata\.required_scope +weighing:read\n/);
    expect(parcelctl.server.seen).toMatchObject([{ url: '/admin/v1/tenants/tnt_1/requests?request_id=req_1&limit=20' }]);
  });

  test('goes on behind pages with fewer calls, shows as many as are asked for, and says that there may be more', async () => {
    serve(
      { requests: Array(100).fill(call), next_cursor: '2.a' },
      { requests: [], next_cursor: '2.b' },
      { requests: [closed], next_cursor: '2.c' },
    );
    const { out } = await parcelctl.run(['tenant', 'requests', 'tnt_1', '--limit', '101']);
    expect(out).toMatch(/req_2\nThere may be more: narrow the time, or ask for more with --limit\.\n$/);
    expect(parcelctl.server.seen.map(({ url }) => url.split('?')[1])).toEqual(['limit=100', 'limit=1&cursor=2.a', 'limit=1&cursor=2.b']);
  });

  test('says why there may be no call with a request id', async () => {
    serve({ requests: [], next_cursor: null });
    const { code, out } = await parcelctl.run(['tenant', 'requests', 'tnt_1', '--request-id', 'req_9']);
    expect([code, out]).toEqual([0, expect.stringContaining('No failed call of the last 7 days has this request id.')]);
  });
});
