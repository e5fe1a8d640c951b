import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawnSource } from './testing/source-process.ts';

/** Publishes numbers and says which are durable; handles them by a line in a file. With `from` < 0 it only handles what is left. */
const program = (directory: string, from: number): string => `
  import { appendFileSync } from 'node:fs';
  import { createBus } from './create-bus.ts';
  import { openBusInFile } from './testing/bus-in-file.ts';
  import { systemClock } from '@parcelway/kernel/clock';
  import { silentLogger } from '@parcelway/kernel/logger';
  const base = { clock: systemClock, logger: silentLogger };
  const driver = await openBusInFile(${JSON.stringify(join(directory, 'bus.db'))}, { ...base, partitions: 12 });
  const bus = createBus({ ...base, driver });
  await bus.subscribeRawBatch('g', 't', async (messages) => {
    for (const { record } of messages) appendFileSync(${JSON.stringify(join(directory, 'effects'))}, record.key + ' ' + Buffer.from(record.value) + '\\n');
  });
  for (let n = ${from}; n >= 0; n += 1) {
    await bus.publish([{ topic: 't', key: 'k' + (n % 5), value: String(n) }]);
    console.log(n);
  }
  while ((await bus.lag('g', 't')) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await bus.close();`;

describe('embedded log and crashes', () => {
  let directory: string;
  let child: ChildProcess | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'bus-crash-'));
  });
  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  /** Runs the program until it ends. @returns the numbers it said were durable, and how it ended */
  const run = async (from: number, failpoint: string, killAfter = Number.POSITIVE_INFINITY) => {
    const started = spawnSource(program(directory, from), failpoint);
    child = started;
    const exit = once(started, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    const durable: number[] = [];
    for await (const line of createInterface({ input: started.stdout })) {
      durable.push(Number(line));
      if (durable.length === killAfter) started.kill('SIGKILL');
    }
    const [code, signal] = await exit;
    return { durable, code, signal };
  };

  test('what was published is handled at least once, in the order of its key, whenever the process is killed', async () => {
    const durable: number[] = [];
    const faults: readonly (readonly [string, number?])[] = [['consumer.received@4:kill'], ['consumer.effect-written@9:kill'], ['', 150]];
    for (const [failpoint, killAfter] of faults) {
      // What was being published when the process died may be there or not; those numbers are not used again.
      const result = await run((durable.at(-1) ?? -1) + 1000, failpoint, killAfter);
      expect(result.signal).toBe('SIGKILL');
      durable.push(...result.durable);
    }
    expect(await run(-1, '')).toEqual({ durable: [], code: 0, signal: null });

    expect(durable.length).toBeGreaterThan(150);
    const effects = existsSync(join(directory, 'effects')) ? readFileSync(join(directory, 'effects'), 'utf8').trim().split('\n') : [];
    const handled = [...new Set(effects)].map((line) => line.split(' ') as [string, string]);
    const numbers = new Set(handled.map(([, value]) => Number(value)));
    expect(durable.filter((number) => !numbers.has(number))).toEqual([]);
    expect(effects.length).toBeGreaterThan(handled.length);
    for (const key of ['k0', 'k1', 'k2', 'k3', 'k4']) {
      const ofKey = handled.filter(([name]) => name === key).map(([, value]) => Number(value));
      expect(ofKey).toEqual([...ofKey].sort((a, b) => a - b));
    }
  }, 60_000);
});
