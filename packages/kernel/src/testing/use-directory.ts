import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from '@jest/globals';

/** Registers hooks that make an empty directory for each test, and remove all of them after the last test. */
export function useDirectory(): { readonly path: string } {
  const made: string[] = [];
  beforeEach(() => void made.push(mkdtempSync(join(tmpdir(), 'parcelway-test-'))));
  afterAll(() => made.forEach((path) => void rmSync(path, { recursive: true, force: true })));
  return {
    get path() {
      return made.at(-1) as string;
    },
  };
}
