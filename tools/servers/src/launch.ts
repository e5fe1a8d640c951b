import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf } from './caught-error.ts';
import { lookUp } from './process-table.ts';
import { lastLines } from './run-command.ts';
import type { Preparation, Server } from './server.ts';
import { directoryOf, end, processOf, record } from './server.ts';
import { waitUntil } from './wait-until.ts';

const logOf = (run: string, server: Server) => join(directoryOf(run, server), 'server.log');

/**
 * Starts a server that does not run, and waits until it responds.
 * @param program folder of its artifact
 * @throws Error when one of its ports is taken, or with the last lines of its log; the process is ended then
 */
export async function launch(run: string, server: Server, program: string) {
  const directory = directoryOf(run, server);
  mkdirSync(directory, { recursive: true });
  for (const port of server.ports) if (!(await isFree(port))) throw new Error(takenPort(server, port));
  try {
    await spawnServer(run, server, await server.prepare({ program, directory }));
    await waitUntil(server.check, {
      deadlineMs: server.startDeadlineMs,
      stop: () => (processOf(run, server) === undefined ? new Error('the process ended') : undefined),
    });
  } catch (error) {
    await end(run, server, 'SIGKILL');
    throw new Error(`${server.name} did not start: ${messageOf(error)}\n  last lines of ${logOf(run, server)}:\n${logTail(run, server)}`);
  }
}

async function spawnServer(run: string, server: Server, { command: [file = '', ...args], env }: Preparation) {
  const log = openSync(logOf(run, server), 'a');
  const child = spawn(file, args, {
    cwd: directoryOf(run, server),
    env: { PATH: process.env.PATH, HOME: homedir(), LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
    // It outlives this command, and no Ctrl-C meant for this command reaches it.
    detached: true,
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(`${server.name}: ${file}: ${messageOf(error)}`)));
  });
  const facts = child.pid === undefined ? undefined : lookUp(child.pid);
  if (facts !== undefined) record(run, server, facts);
  child.unref();
}

function logTail(run: string, server: Server) {
  const file = logOf(run, server);
  return existsSync(file) ? lastLines(readFileSync(file, 'utf8').slice(-20_000)) : '    (no log)';
}

const takenPort = ({ name }: Server, port: number) =>
  `${name} needs port ${port}, which is taken. End its process, or give this set other ports with PARCELWAY_SERVERS_PORT_BASE (see tools/servers/README.md).`;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (codeOf(error) === 'EADDRINUSE' ? resolve(false) : reject(error)));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}
