import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useOpened } from './use-stage.ts';

/** A temporary directory for the tests of a file, removed with all that is in it. */
export function useDirectory(): { readonly path: string } {
  return useOpened(
    'directory',
    async () => ({ path: mkdtempSync(join(tmpdir(), 'parcelway-e2e-')) }),
    ({ path }) => rmSync(path, { recursive: true, force: true }),
  );
}
