import { beforeEach, expect, test } from '@jest/globals';
import type { Io } from '../command-context.ts';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const TOPIC = 'warehouse.intake.v1';
const deadLetter = (offset: string) => ({
  topic: TOPIC,
  partition: 3,
  offset,
  key: null,
  group: 'warehouse-intake',
  reason: '40001 no JSON',
  failed_at: '2026-11-22T00:00:00.000Z',
  value: `rubbish ${offset}`,
});

const parcelctl = parcelctlWithServer();
/** Dead letters of the installation, oldest first. */
let open: ReturnType<typeof deadLetter>[];
beforeEach(() => {
  open = [deadLetter('5'), deadLetter('6'), deadLetter('7')];
  parcelctl.server.respondWith((req, res) => {
    const limit = Number(new URL(req.url ?? '', 'http://x').searchParams.get('limit'));
    // `seen` holds the request to delete.
    const data = req.method === 'GET' ? { dead_letters: open.slice(0, limit) } : { discarded: 2, dead_letters: open.slice(0, 2) };
    res.end(JSON.stringify({ code: '0', message: 'success', data }));
  });
});

/** @param confirm absent: nobody can be asked */
async function run(args: readonly string[], confirm?: Io['confirm']) {
  const { code, out, err } = await parcelctl.run(['dlq', 'delete', '--topic', TOPIC, ...args], confirm ? { confirm } : {});
  const bodies = parcelctl.server.seen.flatMap(({ method, body }) => (method === 'POST' ? [body] : []));
  return { code, out, err, bodies };
}

const both = [{ topic: TOPIC, dead_letters: [deadLetter('5'), deadLetter('6')].map(({ partition, offset }) => ({ partition, offset })) }];

test('shows what would be deleted, asks, and deletes exactly that, whatever arrives meanwhile', async () => {
  const asked: string[] = [];
  const { code, out, err, bodies } = await run(['--limit', '2'], async (question) => {
    asked.push(question);
    open.unshift(deadLetter('4'));
    return true;
  });
  expect(asked).toEqual([expect.stringMatching(/^Delete 2 dead letters of warehouse\.intake\.v1 permanently\?/)]);
  expect(err).toContain('rubbish 5');
  expect(err).not.toContain('rubbish 7');
  expect([code, bodies]).toEqual([0, both]);
  expect(out).toMatch(/rubbish 5.*\n2 dead letters of warehouse\.intake\.v1 deleted\.\n$/s);
});

test('deletes nothing without a yes', async () => {
  const { code, out, err, bodies } = await run(['--offset', '3:5'], async () => false);
  expect([code, out, bodies]).toEqual([1, '', []]);
  expect(err).toBe('3:5\nNothing was deleted.\n');
});

test('with --yes and --json does not ask and prints the deleted dead letters for programs', async () => {
  const { code, out, err, bodies } = await run(['--limit', '2', '--yes', '--json']);
  expect([code, err, bodies]).toEqual([0, '', both]);
  expect(JSON.parse(out)).toEqual({ discarded: 2, dead_letters: [deadLetter('5'), deadLetter('6')] });
});

test('does not ask when there is nothing to delete', async () => {
  open = [];
  const { code, out, bodies } = await run([], () => Promise.reject(new Error('was asked')));
  expect([code, out, bodies]).toEqual([0, 'There are no dead letters.\n', []]);
});
