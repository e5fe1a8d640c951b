import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { KeptPlatform } from '@parcelway/harness/kept-platform';
import { until } from '@parcelway/kernel/testing/until';
import { type RunningProgram, usePrograms } from '../running-program.ts';
import { useDirectory } from '../use-directory.ts';

/* The platform that test files share, of a program that stands for the worker of Jest: what is left of it when the program has ended in any way. */

const built = (path: string): string => JSON.stringify(fileURLToPath(new URL(`../../../packages/${path}`, import.meta.url)));
const WITHIN_MS = 60_000;

const start = usePrograms();
/** Where the program and all that it starts keep their temporary files: a keeper removes its own at its very end. */
const directory = useDirectory();
const files = (): string[] => readdirSync(directory.path);
const untilNothingIsLeft = (): Promise<boolean> =>
  until(() => files().length === 0, { within: WITHIN_MS, what: 'the platform and its keeper to end' });

beforeEach(() => expect(files()).toEqual([]));
afterEach(untilNothingIsLeft, WITHIN_MS);

/** A program with a platform in `first`. */
function program(code: string): RunningProgram {
  const text = `
const { KeptPlatform } = await import(${built('harness/dist/kept-platform.js')});
const { until } = await import(${built('kernel/dist/testing/until.js')});
const asked = KeptPlatform.ofThisProcess();
${code}`;
  return start(process.execPath, ['--input-type=module', '-e', text], { env: { TMPDIR: directory.path } });
}

/** Keeps the program. */
const STAY = 'setInterval(() => undefined, 1000);';

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process.
    return false;
  }
}

test('is one for all who ask with the same settings, and does not keep its program from ending', async () => {
  const shared = program(`
const platforms = [await asked, await KeptPlatform.ofThisProcess(), await KeptPlatform.ofThisProcess({ LOG_LEVEL: 'error' })];
for (const platform of platforms) {
  if ((await platform.client().call('/healthz')).status !== 200) throw new Error(platform.log);
  await platform.release();
}
console.log(JSON.stringify(platforms.map(({ pid }) => pid)));`);
  const { code } = await shared.end();
  expect([code, shared.stderr]).toEqual([0, '']);
  const [first, second, other] = JSON.parse(shared.stdout) as [number, number, number];
  expect([second, other === first]).toEqual([first, false]);
  await until(() => !lives(first) && !lives(other), { within: WITHIN_MS, what: 'the platforms to end' });
}, 120_000);

test('ends when its program is killed before it is ready', async () => {
  const killed = program(STAY);
  await until(() => files().length === 2, { within: WITHIN_MS, what: 'the keeper and the data directory' });
  await killed.end('SIGKILL');
}, 120_000);

test('that has ended is named as the cause, the next one who asks gets another, and that ends when the program is killed', async () => {
  const bereft = program(`
const first = await asked;
process.kill(first.pid, 'SIGKILL');
const message = await until(() => first.release().then(() => undefined, (error) => error.message));
const second = await KeptPlatform.ofThisProcess();
const { status } = await second.client().call('/healthz');
console.log(JSON.stringify({ message, status, pids: [first.pid, second.pid] }));
${STAY}`);
  const [printed] = await bereft.untilPrinted(/^\{.*\}$/m);
  const { message, status, pids } = JSON.parse(printed) as { message: string; status: number; pids: [number, number] };
  expect([message, status]).toEqual([expect.stringContaining('The platform that test files share has ended'), 200]);
  expect(bereft.stderr).toContain('The platform that test files share has ended; another one is started');
  expect(pids.map(lives)).toEqual([false, true]);
  await bereft.end('SIGKILL');
  await until(() => !lives(pids[1]), { within: WITHIN_MS, what: 'the platform to end' });
}, 120_000);

test('that does not start says why', async () => {
  await expect(KeptPlatform.ofThisProcess({ LOG_LEVEL: 'nonsense' })).rejects.toThrow(/No platform was started:.*LOG_LEVEL/s);
}, 60_000);
