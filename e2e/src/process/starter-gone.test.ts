import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { ApiClient } from '@parcelway/harness/api-client';
import type { Quickstart } from '@parcelway/harness/platform';
import { until } from '@parcelway/kernel/testing/until';
import { usePrograms } from '../running-program.ts';
import { useDirectory } from '../use-directory.ts';

const main = fileURLToPath(new URL('../../../services/all-in-one/dist/main.js', import.meta.url));
/** Starts the program with a channel to it, reads its log, and says its process id. */
const starterCode = `
const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(main)}], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
child.stderr.resume();
console.log(child.pid);`;

const start = usePrograms();
const directory = useDirectory();

/** The platform, which is not a child of the test. */
let pid: number | undefined;
afterEach(() => {
  if (pid !== undefined && lives(pid)) process.kill(pid, 'SIGKILL');
});

function lives(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    // There is no such process.
    return false;
  }
}

test('ends when the process that started it is gone, although nobody reads its log any more', async () => {
  const starter = start(process.execPath, ['-e', starterCode], {
    env: { DATA_DIR: directory.path, PORT: '0', ACCESS_LOG: 'on', LOG_LEVEL: 'info' },
  });
  pid = Number((await starter.untilPrinted(/^\d+$/m))[0]);
  const file = join(directory.path, 'quickstart.json');
  await until(() => existsSync(file), { within: 30_000, what: 'the platform to run' });
  const { base_url, ca_file } = JSON.parse(readFileSync(file, 'utf8')) as Quickstart;
  const client = new ApiClient(base_url, null, readFileSync(ca_file, 'utf8'));
  // Each of these is a line of its log, so that there is something to be written at the end.
  const load = setInterval(() => void Promise.all(Array.from({ length: 20 }, () => client.call('/healthz'))).catch(() => undefined), 5);
  try {
    await until(async () => (await client.call('/healthz')).status === 200, { what: 'the platform to respond' });
    await starter.end('SIGKILL');
    await until(() => !lives(pid as number), { within: 10_000, what: 'the platform to end' });
  } finally {
    clearInterval(load);
    await client.close();
  }
  expect(lives(pid as number)).toBe(false);
}, 60_000);
