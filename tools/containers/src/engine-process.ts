import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { messageOf } from '@parcelway/tools-servers/caught-error';
import type { ProcessFacts } from '@parcelway/tools-servers/process-table';
import { lookUp } from '@parcelway/tools-servers/process-table';
import { lastLines } from '@parcelway/tools-servers/run-command';
import { waitUntil } from '@parcelway/tools-servers/wait-until';

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 90_000;
const PING_DEADLINE_MS = 2000;

/** The engine's own bridge: a network that nobody has beside it, for its namespace has no way out. */
const BRIDGE = '10.200.0.1/24';

const socketOf = (directory: string) => join(directory, 'docker.sock');
const recordOf = (directory: string) => join(directory, 'process.json');
const logOf = (directory: string) => join(directory, 'engine.log');

/** How clients reach the engine. */
export function engineHost(directory: string) {
  return `unix://${socketOf(directory)}`;
}

/** The engine's process, when it runs. */
export function engineProcess(directory: string) {
  if (!existsSync(recordOf(directory))) return undefined;
  const { pid, startTicks } = JSON.parse(readFileSync(recordOf(directory), 'utf8')) as Pick<ProcessFacts, 'pid' | 'startTicks'>;
  const facts = lookUp(pid);
  return facts?.startTicks === startTicks ? facts : undefined;
}

function ping(directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { socketPath: socketOf(directory), path: '/_ping', signal: AbortSignal.timeout(PING_DEADLINE_MS) };
    const asked = request(options, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve();
      else reject(new Error(`the engine responds with ${response.statusCode}`));
    });
    asked.once('error', reject).end();
  });
}

/**
 * Starts dockerd in network and mount namespaces of its own: it sets up bridges and packet filters there and nowhere
 * else, and listens on a socket in its directory.
 * @param directory made when it does not exist
 * @throws Error with the last lines of its log
 */
export async function startEngine(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const place = (name: string) => join(directory, name);
  const dockerd = [
    ...['dockerd', '-H', engineHost(directory), '--data-root', place('data'), '--exec-root', place('exec'), '--pidfile', place('pid')],
    ...['--bip', BRIDGE, '--exec-opt', 'native.cgroupdriver=cgroupfs'],
  ];
  // /run is for locks of the packet filter, which must not be those of the machine. exec keeps the process id.
  const script = 'ip link set lo up && mount -t tmpfs none /run && exec "$@"';
  const log = openSync(logOf(directory), 'a');
  const args = ['--net', '--mount', '--propagation', 'private', 'sh', '-c', script, 'engine', ...dockerd];
  const child = spawn('unshare', args, { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  const { pid, startTicks } = (child.pid === undefined ? undefined : lookUp(child.pid)) ?? {};
  writeFileSync(recordOf(directory), JSON.stringify({ pid, startTicks }));
  try {
    await waitUntil(() => ping(directory), {
      deadlineMs: START_DEADLINE_MS,
      stop: () => (engineProcess(directory) === undefined ? new Error('the process ended') : undefined),
    });
  } catch (error) {
    const tail = lastLines(readFileSync(logOf(directory), 'utf8').slice(-20_000));
    throw new Error(`The engine did not start: ${messageOf(error)}\n${tail}`, { cause: error });
  }
}

/**
 * Ends the engine; its containers end with it.
 * @returns false when it did not run
 */
export async function stopEngine(directory: string): Promise<boolean> {
  const running = engineProcess(directory);
  if (running === undefined) return false;
  process.kill(running.pid, 'SIGTERM');
  await waitUntil(
    () => {
      if (engineProcess(directory) !== undefined) throw new Error(`the engine, process ${running.pid}, still runs`);
    },
    { deadlineMs: STOP_DEADLINE_MS },
  );
  rmSync(recordOf(directory));
  return true;
}
