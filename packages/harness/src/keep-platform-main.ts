// Keeps a platform for the program that has started this one: prints a line of JSON once it is ready, and disposes of it when
// the standard input ends, which is when that program has ended, however it did. Ends when the platform ends by itself, too.
// The log of the platform goes to the standard error. Arguments: a directory to remove in the end, which stays when the platform
// has ended by itself, for those who ask why; and further environment variables of the platform, as JSON.
import { rmSync } from 'node:fs';
import { inspect } from 'node:util';
import { until } from '@parcelway/kernel/testing/until';
import type { KeptDescription } from './kept-platform.ts';
import { PlatformProcess } from './platform-process.ts';

/** An end that takes longer ends this process all the same: the servers may be gone, and nobody waits for it. */
const ENDED_WITHIN_MS = 75_000;
/** How soon an end is noticed. */
const LOOK_EVERY_MS = 50;

const [, , directory = '', settings = '{}'] = process.argv;
let isOver = false;
const end = (): void => {
  isOver = true;
};
process.stdin.on('end', end).on('error', end).resume();
process.on('SIGTERM', end).on('SIGINT', end);
// Who has ended reads nothing any more.
process.stdout.on('error', end);

const report = (error: unknown): void => void process.stderr.write(`${inspect(error)}\n`);

const platform = PlatformProcess.prepare({
  env: JSON.parse(settings) as Record<string, string>,
  // Nobody can cut the links of a platform that is not one's own.
  links: false,
  onLog: (text) => void process.stderr.write(text),
});

async function keep(): Promise<void> {
  const starting = platform.start();
  // When it is over before the platform is ready, nobody waits for the start.
  starting.catch(() => undefined);
  await Promise.race([starting, until(() => isOver, { within: Number.POSITIVE_INFINITY, everyMs: LOOK_EVERY_MS })]);
  if (isOver) return;
  const { dataDirectory, pid, servers } = platform;
  process.stdout.write(`${JSON.stringify({ dataDirectory, pid, servers } satisfies KeptDescription)}\n`);
  await until(() => isOver || !platform.running, { within: Number.POSITIVE_INFINITY, everyMs: LOOK_EVERY_MS });
}

await keep().catch(report);
setTimeout(() => process.exit(1), ENDED_WITHIN_MS).unref();
await platform.dispose().catch(report);
if (isOver) rmSync(directory, { recursive: true, force: true });
process.exit(isOver ? 0 : 1);
