import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { transformFileSync } from '@swc/core';

/** The module as a child process can load it: kill points are read once, when a process starts. */
const { code: moduleSource } = transformFileSync(fileURLToPath(new URL('./failpoint.ts', import.meta.url)), {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'es6' },
});

/** Runs `script` after the module in a process of its own with `FAILPOINT` set. */
function run(failpoint: string | undefined, script: string) {
  const { FAILPOINT: _, NODE_OPTIONS: __, ...env } = process.env;
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', `${moduleSource}\n${script}`], {
    env: failpoint === undefined ? env : { ...env, FAILPOINT: failpoint },
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status: result.status, signal: result.signal, stdout: result.stdout.trim(), stderr: result.stderr };
}

/** Passes a point three times and prints what each passage did. */
const passThrice = (name: string) => `
for (let n = 1; n <= 3; n++) { try { failpoint('${name}'); console.log(n + ' passed'); } catch (error) { console.log(n + ' ' + error.message); } }`;

describe('a kill point', () => {
  test.each([undefined, ''])('does nothing when FAILPOINT is %p', (value) => {
    expect(run(value, passThrice('outbox.leased'))).toMatchObject({ status: 0, stdout: '1 passed\n2 passed\n3 passed' });
  });

  test('acts on the named passage only', () => {
    expect(run('outbox.leased@2:throw', passThrice('outbox.leased')).stdout).toBe('1 passed\n2 failpoint outbox.leased\n3 passed');
  });

  test.each(['nowhere:kill', 'outbox.leased', 'outbox.leased:explode', 'outbox.leased:delay:x'])(
    'is refused at the start, with the reason, for %p',
    (value) => {
      const result = run(value, `assertFailpoints(); console.log('started')`);
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toContain(`FAILPOINT has an unknown entry "${value}"`);
    },
  );
});
