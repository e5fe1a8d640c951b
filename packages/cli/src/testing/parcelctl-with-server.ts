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

/** parcelctl with an admin server that is new for each test. */
export interface ParcelctlWithServer {
  readonly server: AdminServer;
  /** @param io overrides; by default `env` names the server */
  run(args: readonly string[], io?: Partial<Io>): Promise<Run>;
}

/** Starts an admin server before each test of the file and closes it afterwards. */
export function parcelctlWithServer(): ParcelctlWithServer {
  let server: AdminServer;
  beforeEach(async () => {
    server = await startAdminServer();
  });
  afterEach(() => server.close());
  return {
    get server() {
      return server;
    },
    async run(args, io = {}) {
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
