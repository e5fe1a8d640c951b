import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';

/**
 * Temporary database files for the tests of a file. Call it outside of the tests.
 * @returns what makes the path of a file in a directory of its own; the directory is removed after the test
 */
export function useTemporaryFiles(): () => string {
  const directories: string[] = [];
  afterEach(() => {
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  });
  return () => {
    const directory = mkdtempSync(join(tmpdir(), 'webhook-'));
    directories.push(directory);
    return join(directory, 'webhook.db');
  };
}
