import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fromRoot } from '@parcelway/harness/installation';
import { until } from '@parcelway/kernel/testing/until';
import { useDirectory } from '../use-directory.ts';
import { usePrograms } from '../use-programs.ts';
import { usePlatforms } from './use-platforms.ts';

const platforms = usePlatforms();

/** Code that runs in the platform's process before its own. */
const planted = (code: string): Record<string, string> => ({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` });

describe('the end of the process', () => {
  test.each([
    ['a rejected promise that nobody awaits', 'Promise.reject(new Error("planted"))'],
    ['an error that nobody catches', 'throw new Error("planted")'],
  ])(
    '%s is logged in full, and ends it with 1',
    async (_what, code) => {
      const platform = await platforms.start({ env: planted(`process.on('SIGUSR2', () => { ${code} })`) });
      process.kill(platform.pid, 'SIGUSR2');
      await platform.ended(10_000);
      expect(platform.exitCode).toBe(1);
      const lines = platform.log.trim().split('\n');
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'An unexpected error ends the process', err: { message: 'planted' } });
    },
    60_000,
  );

  test('a signal during the start stops it in order, with 0', async () => {
    const platform = platforms.prepare();
    const started = platform.start().catch(() => undefined);
    await until(() => platform.running, { within: 10_000, what: 'the process to run', everyMs: 1 });
    // The handlers are there before the data directory is taken.
    await until(() => existsSync(join(platform.dataDirectory, 'lock.db')), {
      within: 10_000,
      what: 'the start to begin',
      everyMs: 1,
    });
    process.kill(platform.pid, 'SIGTERM');
    await started;
    await platform.ended(25_000);
    expect(platform.exitCode).toBe(0);
  }, 60_000);
});

describe('a log that cannot be written', () => {
  const directory = useDirectory();
  const program = usePrograms();

  test.each([
    ['a full disk', '[1-9]', 'exec "$0" "$1" 2>/dev/full'],
    [
      'a full pipe that nobody reads',
      '0',
      'mkfifo "$DATA_DIR.pipe"; exec 2<>"$DATA_DIR.pipe"; head -c 65536 /dev/zero >&2; exec "$0" "$1"',
    ],
  ])(
    '%s: the platform serves requests and stops',
    async (what, lost, script) => {
      const data = join(directory.path, what.replaceAll(' ', '-'));
      const env = { DATA_DIR: data, PORT: '0', ACCESS_LOG: 'on' };
      const platform = program('sh', ['-c', script, process.execPath, fromRoot('dist/all-in-one.js')], { env });
      await platform.untilPrinted(/is ready/);
      const { admin } = JSON.parse(readFileSync(join(data, 'quickstart.json'), 'utf8')) as { admin: { url: string } };
      expect((await fetch(`${admin.url}/healthz`)).status).toBe(200);
      const metrics = await (await fetch(`${admin.url}/metrics`)).text();
      expect(metrics).toMatch(new RegExp(`^parcelway_log_lines_lost_total\\{service_name="gateway"\\} ${lost}`, 'm'));
      const since = performance.now();
      expect(await platform.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(performance.now() - since).toBeLessThan(25_000);
    },
    90_000,
  );
});
