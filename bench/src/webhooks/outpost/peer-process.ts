import { chownSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { type StartedProgram, startProgram } from '../../started-program.ts';

/** The user that owns nothing, as Debian numbers it: servers that refuse to run as root run as this one. */
const NOBODY = 65_534;

const asRoot = process.getuid?.() === 0;

/** A directory that the peer's servers may write to. */
export function serverDirectory(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (asRoot) chownSync(path, NOBODY, NOBODY);
  return path;
}

/** Starts a server of the peer and waits until its port takes connections. @param user `server` for servers that refuse to run as root */
export function startPeerProcess(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  port: number,
  user: 'server' | 'own' = 'server',
): Promise<StartedProgram> {
  return startProgram(command, {
    name: `${command[0]} on port ${port}`,
    env,
    isReady: () => takesConnections(port),
    ...(asRoot && user === 'server' && { user: { uid: NOBODY, gid: NOBODY } }),
  });
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(1000, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Program and arguments that run a command as the user of the peer's servers. */
export function asServerUser(command: readonly string[]): readonly [string, ...string[]] {
  const prefix = asRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : ['env'];
  return [...prefix, ...command] as [string, ...string[]];
}
