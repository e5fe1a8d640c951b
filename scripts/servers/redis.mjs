import { mkdirSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';
import { ensureLibraries } from './shared-libraries.mjs';

const FETCH_DEADLINE_MS = 180_000;
const PING_DEADLINE_MS = 1000;

/** The program and the libraries that a Debian without them lacks. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1'];

/**
 * Debian's own Redis, unpacked instead of installed: that needs no root and starts no service of its own.
 * apt checks the packages by the archive's signature.
 */
const artifact = {
  name: 'redis-debian-7.0',
  make: async (folder) => {
    // Package lists of our own, because the machine's may be missing or name packages that the mirror no longer has.
    const state = join(folder, 'apt');
    mkdirSync(join(state, 'lists', 'partial'), { recursive: true });
    mkdirSync(join(state, 'archives', 'partial'), { recursive: true });
    const own = ['-q', '-o', `Dir::State::lists=${state}/lists`, '-o', `Dir::Cache=${state}`, '-o', 'APT::Sandbox::User='];
    await runCommand(['apt-get', 'update', ...own], { deadlineMs: FETCH_DEADLINE_MS });
    await runCommand(['apt-get', 'download', ...own, ...PACKAGES], { deadlineMs: FETCH_DEADLINE_MS, cwd: state });
    await runCommand(['sh', '-c', `for package in *.deb; do dpkg-deb -x "$package" '${folder}' || exit 1; done`], {
      deadlineMs: FETCH_DEADLINE_MS,
      cwd: state,
    });
    rmSync(state, { recursive: true });
    await ensureLibraries([programIn(folder), '--version'], ['libssl3', 'libsystemd0', 'libatomic1'], librariesIn(folder));
  },
};

const programIn = (folder) => join(folder, 'usr', 'bin', 'redis-server');
const librariesIn = (folder) => ({
  LD_LIBRARY_PATH: join(folder, 'usr', 'lib', `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`),
});

/**
 * Redis with its file flushed every second and no eviction.
 * @param {{ port: number }} ports
 * @returns {import('./server.mjs').Server}
 */
export function redisServer({ port }) {
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

function ping(port) {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const end = (error) => {
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    socket.setTimeout(PING_DEADLINE_MS, () => end(new Error(`no answer to PING in ${PING_DEADLINE_MS} ms`)));
    socket.once('error', end);
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (answer) => end(String(answer).startsWith('+PONG') ? undefined : new Error(`PING was answered ${answer}`)));
  });
}
