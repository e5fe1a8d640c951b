import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './places.mjs';
import { lookUp } from './process-table.mjs';
import { waitUntil } from './wait-until.mjs';

/**
 * A server of a set.
 * @typedef {object} Server
 * @property {string} name also the name of its folder in the run directory
 * @property {import('./artifact.mjs').Artifact} artifact
 * @property {number[]} ports all that it listens on
 * @property {number} startDeadlineMs on a slow, busy machine
 * @property {(places: { program: string, directory: string }) => Promise<{ command: string[], env: Record<string, string> }>}
 *   prepare writes its configuration; the command line contains `directory`
 * @property {() => Promise<void>} check throws while it does not answer; takes a few seconds at most
 * @property {() => Promise<void>} [settled] throws while it answers, but does not serve in its set yet
 */

/** A server that does not end by itself in this time is killed. */
const STOP_DEADLINE_MS = 30_000;
const SIGNAL_DEADLINE_MS = 10_000;

/**
 * The folder of a server: its configuration, data and log.
 * @param {string} run
 * @param {Pick<Server, 'name'>} server
 */
export function directoryOf(run, { name }) {
  return join(run, name);
}

const recordOf = (run, server) => join(directoryOf(run, server), 'process.json');

/**
 * Whether a process is this server of this set: only then does its command line name the server's folder.
 * @param {string} run
 * @param {Pick<Server, 'name'>} server
 * @param {import('./process-table.mjs').ProcessFacts} facts
 */
export function isProcessOf(run, server, facts) {
  const directory = directoryOf(run, server);
  return [`${directory}/`, `${directory} `].some((part) => `${facts.command} `.includes(part));
}

/**
 * Remembers the process of a server for later runs.
 * @param {string} run
 * @param {Pick<Server, 'name'>} server
 * @param {import('./process-table.mjs').ProcessFacts} facts
 */
export function record(run, server, { pid, startTicks }) {
  writeWhole(recordOf(run, server), JSON.stringify({ pid, startTicks }));
}

/**
 * The running process of a server, by its record. The record alone is not believed: pids are used again.
 * @param {string} run
 * @param {Pick<Server, 'name'>} server
 * @returns {import('./process-table.mjs').ProcessFacts | undefined}
 */
export function processOf(run, server) {
  const file = recordOf(run, server);
  if (!existsSync(file)) return undefined;
  const { pid, startTicks } = JSON.parse(readFileSync(file, 'utf8'));
  const facts = lookUp(pid);
  return facts?.startTicks === startTicks && isProcessOf(run, server, facts) ? facts : undefined;
}

/**
 * Ends a server with a signal and waits until its process is gone. One that does not heed SIGTERM is killed.
 * @param {string} run
 * @param {Pick<Server, 'name'>} server
 * @param {'SIGTERM' | 'SIGKILL'} signal
 * @returns {Promise<boolean>} false when it did not run
 */
export async function end(run, server, signal) {
  const running = processOf(run, server);
  if (running === undefined) return false;
  process.kill(running.pid, signal);
  // One that is paused takes SIGTERM only when it goes on.
  if (running.paused && signal === 'SIGTERM') process.kill(running.pid, 'SIGCONT');
  try {
    await waitUntil(
      () => {
        if (processOf(run, server) !== undefined) throw new Error(`process ${running.pid} of ${server.name} still runs`);
      },
      { deadlineMs: signal === 'SIGTERM' ? STOP_DEADLINE_MS : SIGNAL_DEADLINE_MS },
    );
  } catch (error) {
    if (signal === 'SIGKILL') throw error;
    return end(run, server, 'SIGKILL');
  }
  rmSync(recordOf(run, server), { force: true });
  return true;
}

/**
 * Holds a server as it is, or lets it go on.
 * @param {string} run
 * @param {Pick<Server, 'name'>} server
 * @param {'SIGSTOP' | 'SIGCONT'} signal
 * @throws {Error} when it does not run
 */
export async function hold(run, server, signal) {
  const running = processOf(run, server);
  if (running === undefined) throw new Error(`${server.name} does not run`);
  process.kill(running.pid, signal);
  await waitUntil(
    () => {
      if (processOf(run, server)?.paused !== (signal === 'SIGSTOP')) throw new Error(`${server.name} has not taken ${signal}`);
    },
    { deadlineMs: SIGNAL_DEADLINE_MS },
  );
}
