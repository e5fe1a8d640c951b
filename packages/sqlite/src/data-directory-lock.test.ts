import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { transformFileSync } from '@swc/core';
import { lockDataDirectory } from './data-directory-lock.ts';

const here = dirname(fileURLToPath(import.meta.url));

/** Source of the lock as JavaScript, for a process of its own. */
const source = transformFileSync(join(here, 'data-directory-lock.ts'), {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'es6' },
}).code;

describe('lockDataDirectory', () => {
  const directory = useDirectory();
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** Starts a process that takes the lock and keeps it, though it forgets what gives it back and all garbage is collected. @returns its first line: `locked` or why not */
  const start = async (unprivileged = false): Promise<{ child: ChildProcess; line: string }> => {
    // Root may write anywhere: a process that could not be refused says nothing of one that can.
    const code = `${source}
      if (${unprivileged} && process.getuid() === 0) process.setuid(65534);
      try { lockDataDirectory(${JSON.stringify(directory.path)}); gc(); setTimeout(() => console.log('locked'), 20); setInterval(() => {}, 1000); }
      catch (error) { console.log(error.message); }`;
    const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', code], {
      cwd: here,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [data] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, line: data.toString().trim() };
  };

  test('makes the directory, and a second taker is refused until it is given back', () => {
    const inner = join(directory.path, 'new', 'data');
    const release = lockDataDirectory(inner);
    expect(() => lockDataDirectory(inner)).toThrow('in use by another running platform');
    release();
    expect(lockDataDirectory(inner)).toEqual(expect.any(Function));
  });

  test('refuses another process while this one has it', async () => {
    const release = lockDataDirectory(directory.path);
    const { line } = await start();
    expect(line).toContain(`${directory.path} is in use by another running platform`);
    release();
  });

  test('says of a directory, or a lock in it, that belongs to another user that it is not writable, and to whom it must belong', async () => {
    chmodSync(directory.path, 0o555);
    const { line } = await start(true);
    expect(line).toMatch(
      /^The data directory .+ is not writable \(EACCES\)\. .+ must belong to user \d+, who runs this: change its owner, or /,
    );
    expect(line).toContain(directory.path);
    chmodSync(directory.path, 0o777);
    writeFileSync(join(directory.path, 'lock.db'), '', { mode: 0o444 });
    expect((await start(true)).line).toContain('is not writable (EACCES)');
  });

  test('says so of a path that cannot become a directory', () => {
    const file = join(directory.path, 'file');
    writeFileSync(file, '');
    expect(() => lockDataDirectory(join(file, 'data'))).toThrow(`${file}/data is not writable (ENOTDIR)`);
  });

  test('is free again after its process was killed', async () => {
    const { child, line } = await start();
    expect(line).toBe('locked');
    expect(() => lockDataDirectory(directory.path)).toThrow('in use');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    lockDataDirectory(directory.path)();
  });
});
