import { createConnection } from 'node:net';
import { join } from 'node:path';
import { type Artifact, debianProgram, ensureLibraries, unpackDebian } from './artifact.ts';
import type { Server } from './server.ts';

const PING_DEADLINE_MS = 1000;

/** The program and the libraries that a Debian without them lacks. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1'];

/** Debian's own Redis: 7.0 in Debian 12. */
const artifact: Artifact = {
  name: 'redis-debian',
  make: async (folder: string) => {
    await unpackDebian(folder, PACKAGES, 'redis-server', '7.0');
    await ensureLibraries([programIn(folder), '--version'], ['libssl3', 'libsystemd0', 'libatomic1'], librariesIn(folder));
  },
};

const programIn = (folder: string) => debianProgram(folder, 'redis-server');
const librariesIn = (folder: string) => ({
  LD_LIBRARY_PATH: join(folder, 'usr', 'lib', `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`),
});

/** Redis with its file flushed every second and no eviction. */
export function redisServer({ port }: { port: number }): Server {
  return {
    name: 'redis',
    artifact,
    ports: [port],
    startDeadlineMs: 30_000,
    prepare: async ({ program, directory }) => ({
      command: [
        programIn(program),
        ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--daemonize', 'no'],
        ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
        // The folder in its command, by which its process is recognised, stays.
        ...['--set-proc-title', 'no'],
      ],
      env: librariesIn(program),
    }),
    check: () => ping(port),
  };
}

function ping(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const end = (error: Error | undefined) => {
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    socket.setTimeout(PING_DEADLINE_MS, () => end(new Error(`no response to PING in ${PING_DEADLINE_MS} ms`)));
    socket.once('error', end);
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (response) =>
      end(String(response).startsWith('+PONG') ? undefined : new Error(`PING got the response ${response}`)),
    );
  });
}
