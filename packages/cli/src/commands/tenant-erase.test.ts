import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { Io } from '../command-context.ts';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const running = { tenant_id: 'tnt_1', state: 'running', start_time: 's', finish_time: null, removed: [], remains: [] };
const finished = {
  ...running,
  state: 'finished',
  finish_time: '2026-11-21T08:00:00.000+00:00',
  removed: [{ service: 'forecast', kind: 'forecasts', count: 12 }],
  remains: [
    { what: 'messages in the log', until: '2026-11-28T08:00:00.000+00:00', note: 'n' },
    { what: 'backups', until: null, note: 'b' },
  ],
};

const parcelctl = parcelctlWithServer();
let report: string;
/** Response to the beginning of the erasure. */
let begun: object;
/** Responses to the looks at the erasure; undefined breaks the connection. */
let looks: (object | undefined)[];
beforeEach(() => {
  report = join(parcelctl.directory, 'report.json');
  begun = running;
  looks = [undefined, finished];
  parcelctl.server.respondWith((req, res) => {
    const data = req.method === 'POST' ? begun : looks.shift();
    if (data === undefined) res.destroy();
    else res.end(JSON.stringify({ code: '0', message: 'success', data }));
  });
});

/** @param confirm absent: nobody can be asked */
const run = (args: readonly string[], confirm?: Io['confirm']) =>
  parcelctl.run(['tenant', 'erase', 'tnt_1', '--report', report, ...args], { ...(confirm ? { confirm } : {}), pollMs: 20 });

test('asks, waits until the erasure has ended, and writes the report', async () => {
  const asked: string[] = [];
  const { code, out, err } = await run(['--backups-until', '2026-12-31'], async (question) => {
    asked.push(question);
    return true;
  });
  expect(asked).toEqual(['Erase the tenant tnt_1 with all of its data permanently?']);
  expect(parcelctl.server.seen.map(({ method, url }) => `${method} ${url}`).slice(0, 2)).toEqual([
    'POST /admin/v1/tenants/tnt_1/erasure',
    'GET /admin/v1/tenants/tnt_1/erasure',
  ]);
  expect([code, err]).toEqual([0, '  0 records deleted\n']);
  expect(out).toMatch(/^Tenant tnt_1 was erased at 2026-11-21/);
  expect(out).toMatch(/forecast +forecasts +12\n/);
  expect(out).toMatch(/backups +2026-12-31 +b\n/);
  expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual({
    ...finished,
    remains: [finished.remains[0], { what: 'backups', until: '2026-12-31', note: 'b' }],
  });
});

test('erases nothing without a confirmation', async () => {
  expect(await run([], async () => false)).toMatchObject({ code: 1, err: 'Nothing was erased.\n' });
  expect(await run([])).toMatchObject({ code: 2, err: expect.stringContaining('There is no terminal to ask for confirmation') });
  expect([parcelctl.server.seen, existsSync(report)]).toEqual([[], false]);
});

test('refuses a day that is none', async () => {
  for (const day of ['2026-02-30', 'soon', '2026-1-1']) {
    expect(await run(['--yes', '--backups-until', day])).toMatchObject({
      code: 2,
      err: expect.stringMatching(new RegExp(`--backups-until.*'${day}'.*Enter a day such as`)),
    });
  }
  expect(parcelctl.server.seen).toEqual([]);
});

test('shows that the erasure fails, and ends when it does so again and again', async () => {
  const failed = (failures: number) => ({ ...running, failures, failure: 'The store cannot be used now (50301)' });
  looks = [failed(1), failed(5)];
  const { code, err } = await run(['--yes']);
  expect(code).toBe(1);
  expect(err).toContain('  Failed 1 times: The store cannot be used now (50301). It is tried again by itself\n');
  expect(err).toContain('The erasure is not finished. It failed 5 times: The store cannot be used now (50301)');
  expect(existsSync(report)).toBe(false);
});

test('does not count what failed before the command, until it has gone forward', async () => {
  const failed = (failures: number) => ({ ...running, failures, failure: 'The store cannot be used now (50301)' });
  begun = failed(5);
  looks = [failed(9), finished];
  expect(await run(['--yes'])).toMatchObject({ code: 0, err: expect.stringContaining('  Failed 9 times: ') });
  looks = [failed(10)];
  expect(await run(['--yes'])).toMatchObject({ code: 1, err: expect.stringContaining('It failed 10 times') });
  looks = [failed(0), failed(5)];
  expect(await run(['--yes'])).toMatchObject({ code: 1, err: expect.stringContaining('It failed 5 times') });
});

test('says once when the last look begins, while that is to come', async () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  const removed = [{ service: 'forecast', kind: 'forecasts', count: 43 }];
  const waiting = { ...running, removed, last_look_time: soon };
  begun = { ...running, last_look_time: null };
  looks = [waiting, waiting, { ...finished, last_look_time: null }];
  const line = `  The last look for data begins at ${soon}; the erasure waits for it\n`;
  expect(await run(['--yes'])).toMatchObject({ code: 0, err: `  0 records deleted\n  43 records deleted\n${line}` });
  looks = [{ ...waiting, last_look_time: '2026-11-21T08:00:00.000+00:00' }, finished];
  expect(await run(['--yes'])).toMatchObject({ code: 0, err: '  0 records deleted\n  43 records deleted\n' });
});
