import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import type { Artifact } from './artifact.ts';
import { messageOf } from './caught-error.ts';
import { runCommand } from './run-command.ts';
import type { Server } from './server.ts';
import { ensureLibraries } from './shared-libraries.ts';

const FETCH_DEADLINE_MS = 180_000;
const PING_DEADLINE_MS = 1000;

/** The program and the libraries that a Debian without them lacks. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1'];

/**
 * Debian's own Redis (7.0 in Debian 12), unpacked instead of installed: that needs no root and starts no service of its
 * own. apt checks the packages by the archive's signature. Where there is no apt, a redis-server on the path serves.
 */
const artifact: Artifact = {
  name: 'redis-debian',
  make: async (folder: string) => {
    try {
      await unpackPackages(folder);
    } catch (error) {
      const installed = (process.env.PATH ?? '').split(delimiter).find((entry) => existsSync(join(entry, 'redis-server')));
      if (installed === undefined) {
        throw new Error(
          `${messageOf(error)}\nDebian's Redis could not be installed. Put a redis-server (7.0 or newer) on the path, then run this again.`,
        );
      }
      mkdirSync(dirname(programIn(folder)), { recursive: true });
      symlinkSync(join(installed, 'redis-server'), programIn(folder));
    }
    await ensureLibraries([programIn(folder), '--version'], ['libssl3', 'libsystemd0', 'libatomic1'], librariesIn(folder));
  },
};

async function unpackPackages(folder: string) {
  // Package lists of our own: the machine's may be missing, or name packages that the mirror no longer has.
  const state = join(folder, 'apt');
  for (const name of ['lists', 'archives']) mkdirSync(join(state, name, 'partial'), { recursive: true });
  const own = ['-q', '-o', `Dir::State::lists=${state}/lists`, '-o', `Dir::Cache=${state}`, '-o', 'APT::Sandbox::User='];
  const limits = { deadlineMs: FETCH_DEADLINE_MS, cwd: state };
  await runCommand(['apt-get', 'update', ...own], limits);
  await runCommand(['apt-get', 'download', ...own, ...PACKAGES], limits);
  await runCommand(['sh', '-c', 'for package in *.deb; do dpkg-deb -x "$package" .. || exit 1; done'], limits);
  rmSync(state, { recursive: true });
}

const programIn = (folder: string) => join(folder, 'usr', 'bin', 'redis-server');
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
      // Without the title option Redis overwrites its command line, by which we know it again.
      command: [
        programIn(program),
        ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--set-proc-title', 'no', '--daemonize', 'no'],
        ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
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
