import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { processProgram } from './worker-pdf-inspector.ts';

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** @param program of the thread, which has `parentPort` */
function start(program: string): ChildProcess {
  const threads = "const { parentPort } = require('node:worker_threads');";
  const started = JSON.stringify({ program: `${threads}${program}`, workerData: {}, maxHeapMb: 16 });
  child = spawn(process.execPath, ['--eval', processProgram, started], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  });
  return child;
}

test('ends when its thread fills its heap', async () => {
  const started = start('const all = []; for (;;) all.push(new Array(1000).fill({}));');
  const [code] = (await once(started, 'exit')) as [code: number | null];
  // V8 may abort the process before the thread fails.
  expect([1, null]).toContain(code);
});

test('ends with its parent, though its thread never stops', async () => {
  const started = start("parentPort.postMessage('busy'); for (;;);");
  await once(started, 'message');
  started.disconnect();
  expect(await once(started, 'exit')).toBeDefined();
});
