import { expect, test } from '@jest/globals';
import { exitCodes } from './cli-error.ts';
import { allPages } from './read-log.ts';
import { parcelctlWithServer } from './testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();

/** Serves a list in pages: the cursor of a page is its number. */
function servePages(name: string, pages: readonly (readonly object[])[]): void {
  parcelctl.server.respondWith((req, res) => {
    const at = Number(new URL(req.url ?? '', 'http://localhost').searchParams.get('cursor') ?? 0);
    const data = { [name]: pages[at], next_cursor: at + 1 < pages.length ? String(at + 1) : null };
    res.end(JSON.stringify({ code: '0', message: 'success', data }));
  });
}

test.each([
  ['tenant list', 'tenants', '/admin/v1/tenants?limit=1000'],
  ['key list --tenant tnt_1', 'keys', '/admin/v1/keys?tenant_id=tnt_1&limit=1000'],
])('%s prints all pages as one list', async (command, name, path) => {
  servePages(name, [[{ id: 'a' }, { id: 'b' }], [{ id: 'c' }], [{ id: 'd' }]]);
  const { code, out } = await parcelctl.run([...command.split(' '), '--json']);
  expect([code, JSON.parse(out)]).toEqual([0, { [name]: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }] }]);
  expect(parcelctl.server.seen.map(({ url }) => url)).toEqual([path, `${path}&cursor=1`, `${path}&cursor=2`]);
});

test('a list that never ends fails', async () => {
  let calls = 0;
  const client = {
    call: async () => {
      calls += 1;
      return { tenants: [], next_cursor: 'more' };
    },
  };
  await expect(
    allPages('tenants')(client as never, { path: '/admin/v1/tenants', call: {}, values: {} }, {} as never),
  ).rejects.toMatchObject({
    exitCode: exitCodes.refused,
    message: 'The list of tenants does not end after 1000 pages',
  });
  expect(calls).toBe(1000);
});
