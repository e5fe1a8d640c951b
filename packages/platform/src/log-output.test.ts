import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { LogOutput, lostLogLines } from './log-output.ts';

const directory = useDirectory();

test('lines that a full disk does not take are counted, and later ones are written', async () => {
  const output = new LogOutput(openSync('/dev/full', 'w'));
  const before = lostLogLines();
  output.write('one\n');
  await until(() => lostLogLines() === before + 1);
  output.write('two\n');
  await until(() => lostLogLines() === before + 2);
});

test('what nobody reads waits up to a limit, and comes in order when somebody does', async () => {
  const path = join(directory.path, 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const output = new LogOutput(pipe);
  const before = lostLogLines();
  const lines = Array.from({ length: 3000 }, (_, index) => `${index}`.padStart(999, '.'));
  for (const line of lines) output.write(`${line}\n`);
  const lost = lostLogLines() - before;
  expect(lost).toBeGreaterThan(900);
  const kept = lines.length - lost;
  let read = '';
  const chunk = Buffer.alloc(100_000);
  await until(
    () => {
      try {
        read += chunk.toString('utf8', 0, readSync(pipe, chunk));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
      return read.length >= kept * 1000;
    },
    { within: 30_000, everyMs: 1 },
  );
  expect(read).toBe(`${lines.slice(0, kept).join('\n')}\n`);
  closeSync(pipe);
});
