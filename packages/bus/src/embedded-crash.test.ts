import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const here = dirname(fileURLToPath(import.meta.url));
const swc = pathToFileURL(createRequire(import.meta.url).resolve('@swc/core')).href;
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** Lets a bare node process run the TypeScript sources. */
const loader = dataUrl(`
  import swc from '${swc}';
  import { fileURLToPath } from 'node:url';
  export async function load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } };
    return { format: 'module', shortCircuit: true, source: swc.transformFileSync(fileURLToPath(url), options).code };
  }`);
const register = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(loader)});`);

/** Publishes numbers and says which are durable; handles them by a line in a file. With `from` < 0 it only handles what is left. */
const program = (directory: string, from: number): string => `
  import { appendFileSync } from 'node:fs';
  import { createBus } from './create-bus.ts';
  import { openEmbeddedBus } from './embedded-driver.ts';
  import { systemClock } from '@parcelway/kernel/clock';
  import { silentLogger } from '@parcelway/kernel/logger';
  const base = { clock: systemClock, logger: silentLogger };
  const driver = await openEmbeddedBus({ ...base, path: ${JSON.stringify(join(directory, 'bus.db'))}, partitions: 12 });
  const bus = createBus({ ...base, driver });
  await bus.subscribeRaw('g', 't', async (record) => {
    appendFileSync(${JSON.stringify(join(directory, 'effects'))}, record.key + ' ' + Buffer.from(record.value) + '\\n');
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
    const args = ['--conditions=source', '--import', register, '--input-type=module', '--eval', program(directory, from)];
    const started = spawn(process.execPath, args, {
      cwd: here,
      env: { ...process.env, NODE_OPTIONS: '', FAILPOINT: failpoint },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
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
    const faults: readonly (readonly [string, number?])[] = [
      ['consumer.received@4:kill'],
      ['consumer.effect-written@1:kill'],
      ['consumer.effect-written@9:kill'],
      ['', 1],
      ['', 150],
    ];
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
