import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { SupervisedProcess } from './supervised-process.ts';

const directory = useDirectory();
let started: SupervisedProcess | undefined;
afterEach(async () => {
  await started?.stop();
});

/** A process of this program, which writes a line for each start before it says that it is ready. */
function processOf(program: string, firstEnv: Record<string, string> = {}): SupervisedProcess {
  const main = join(directory.path, 'main.mjs');
  writeFileSync(
    main,
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(join(directory.path, 'starts'))}, (process.env.FAILPOINT ?? '-') + '\\n');
     process.on('disconnect', () => process.exit(1));
     ${program}`,
  );
  started = new SupervisedProcess({
    name: 'one',
    url: '',
    adminUrl: '',
    main,
    env: {},
    firstEnv,
    logger: silentLogger,
    onChange: () => undefined,
  });
  return started;
}

const starts = (): string[] => readFileSync(join(directory.path, 'starts'), 'utf8').trim().split('\n');

async function becomes(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const runUntilStopped = `process.on('SIGTERM', () => process.exit(0)); console.log('one is ready'); setInterval(() => {}, 1000);`;

test('is ready when it says so, and ends when it is stopped', async () => {
  const one = processOf(runUntilStopped);
  await one.start();
  expect(one.pid).toBeGreaterThan(0);
  expect(await one.stop()).toBe(true);
  expect(one.pid).toBeUndefined();
  expect(starts()).toHaveLength(1);
});

test('is started again after it was killed, without the variables of the first start', async () => {
  const one = processOf(runUntilStopped, { FAILPOINT: 'here:kill' });
  await one.start();
  const first = one.pid as number;
  process.kill(first, 'SIGKILL');
  await becomes(() => one.pid !== undefined && one.pid !== first && starts().length === 2);
  expect(starts()).toEqual(['here:kill', '-']);
});

test('refuses to start when it ends by itself before it is ready', async () => {
  const one = processOf(`process.exit(1);`);
  await expect(one.start()).rejects.toThrow('one ended with 1 before it was ready');
});

test('reports an end that was not clean', async () => {
  const one = processOf(`process.on('SIGTERM', () => process.exit(3)); console.log('one is ready'); setInterval(() => {}, 1000);`);
  await one.start();
  expect(await one.stop()).toBe(false);
});
