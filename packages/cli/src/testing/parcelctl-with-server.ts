import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import type { Io } from '../command-context.ts';
import { runParcelctl } from '../run-parcelctl.ts';
import { type AdminServer, startAdminServer } from './admin-server.ts';

/** The admin token of these tests. */
export const TOKEN = 'admin-token-of-a-test';

/** The result of a run: exit code, standard output and standard error. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** parcelctl with an admin server and an empty directory, which are there before each test of the file and gone afterwards. */
export function parcelctlWithServer() {
  let server: AdminServer;
  let directory: string;
  beforeEach(async () => {
    server = await startAdminServer();
    directory = mkdtempSync(join(tmpdir(), 'parcelctl-'));
  });
  afterEach(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    get server() {
      return server;
    },
    get directory() {
      return directory;
    },
    /** @param io overrides; by default `env` names the server */
    async run(args: readonly string[], io: Partial<Io> = {}): Promise<Run> {
      const out: string[] = [];
      const err: string[] = [];
      const code = await runParcelctl(args, {
        env: { PARCEL_ADMIN_URL: server.url, PARCEL_ADMIN_TOKEN: TOKEN },
        out: (text) => void out.push(text),
        err: (text) => void err.push(text),
        ...io,
      });
      return { code, out: out.join(''), err: err.join('') };
    },
  };
}
