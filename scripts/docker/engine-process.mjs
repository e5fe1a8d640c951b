import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { lookUp } from '../servers/process-table.mjs';
import { lastLines } from '../servers/run-command.mjs';
import { waitUntil } from '../servers/wait-until.mjs';

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 90_000;
const PING_DEADLINE_MS = 2000;

/** The engine's own bridge: a network that nobody has beside it, for its namespace has no way out. */
const BRIDGE = '10.200.0.1/24';

const socketOf = (directory) => join(directory, 'docker.sock');
const recordOf = (directory) => join(directory, 'process.json');
const logOf = (directory) => join(directory, 'engine.log');

/**
 * How clients reach the engine.
 * @param {string} directory
 */
export function engineHost(directory) {
  return `unix://${socketOf(directory)}`;
}

/**
 * The engine's process, when it runs.
 * @param {string} directory
 */
export function engineProcess(directory) {
  if (!existsSync(recordOf(directory))) return undefined;
  const { pid, startTicks } = JSON.parse(readFileSync(recordOf(directory), 'utf8'));
  const facts = lookUp(pid);
  return facts?.startTicks === startTicks ? facts : undefined;
}

function ping(directory) {
  return new Promise((resolve, reject) => {
    const options = { socketPath: socketOf(directory), path: '/_ping', signal: AbortSignal.timeout(PING_DEADLINE_MS) };
    const asked = request(options, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) resolve();
      else reject(new Error(`the engine answers ${answer.statusCode}`));
    });
    asked.once('error', reject).end();
  });
}

/**
 * Starts dockerd in network and mount namespaces of its own: it sets up bridges and packet filters there and nowhere
 * else, and listens on a socket in its directory.
 * @param {string} directory made when it does not exist
 * @throws {Error} with the last lines of its log
 */
export async function startEngine(directory) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const places = ['data', 'exec', 'pid'].map((name) => join(directory, name));
  const dockerd = [
    ...['dockerd', '-H', engineHost(directory), '--data-root', places[0], '--exec-root', places[1], '--pidfile', places[2]],
    ...['--bip', BRIDGE, '--exec-opt', 'native.cgroupdriver=cgroupfs'],
  ];
  // /run is for locks of the packet filter, which must not be those of the machine. exec keeps the process id.
  const script = 'ip link set lo up && mount -t tmpfs none /run && exec "$@"';
  const log = openSync(logOf(directory), 'a');
  const [file, ...args] = ['unshare', '--net', '--mount', '--propagation', 'private', 'sh', '-c', script, 'engine', ...dockerd];
  const child = spawn(file, args, { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  const { pid, startTicks } = lookUp(child.pid) ?? {};
  writeFileSync(recordOf(directory), JSON.stringify({ pid, startTicks }));
  try {
    await waitUntil(() => ping(directory), {
      deadlineMs: START_DEADLINE_MS,
      stop: () => (engineProcess(directory) === undefined ? new Error('the process ended') : undefined),
    });
  } catch (error) {
    const tail = lastLines(readFileSync(logOf(directory), 'utf8').slice(-20_000));
    throw new Error(`The engine did not start: ${error.message}\n${tail}`, { cause: error });
  }
}

/**
 * Ends the engine; its containers end with it.
 * @param {string} directory
 * @returns {Promise<boolean>} false when it did not run
 */
export async function stopEngine(directory) {
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
