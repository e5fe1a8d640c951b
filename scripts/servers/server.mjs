import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from './places.mjs';
import { listenerOn, lookUp } from './process-table.mjs';
import { lastLines } from './run-command.mjs';
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
const KILL_DEADLINE_MS = 10_000;

const directoryOf = (run, name) => join(run, name);
const recordOf = (run, name) => join(run, name, 'process.json');
const logOf = (run, name) => join(run, name, 'server.log');

/**
 * The running process of a server, by its record. The record alone is not believed: pids are used again.
 * @param {string} run
 * @param {Pick<Server, 'name'>} server
 * @returns {import('./process-table.mjs').ProcessFacts | undefined}
 */
export function processOf(run, { name }) {
  const file = recordOf(run, name);
  if (!existsSync(file)) return undefined;
  const { pid, startTicks } = JSON.parse(readFileSync(file, 'utf8'));
  const facts = lookUp(pid);
  return facts?.startTicks === startTicks && isOurs(facts, run, name) ? facts : undefined;
}

const isOurs = (facts, run, name) =>
  `${facts.command} `.includes(`${directoryOf(run, name)}/`) || `${facts.command} `.includes(`${directoryOf(run, name)} `);

/**
 * Starts a server that does not run, and waits until it answers.
 * @param {string} run
 * @param {Server} server
 * @param {string} program folder of its artifact
 * @throws {Error} with the last lines of its log; the process is ended then
 */
export async function launch(run, server, program) {
  const directory = directoryOf(run, server.name);
  mkdirSync(directory, { recursive: true });
  const orphan = await ownProcessOnPorts(run, server);
  if (orphan !== undefined) {
    record(run, server.name, orphan);
    return awaitAnswer(run, server);
  }
  const { command, env } = await server.prepare({ program, directory });
  const log = openSync(logOf(run, server.name), 'a');
  const [file, ...args] = command;
  const child = spawn(file, args, {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: homedir(), LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(`${server.name}: ${file}: ${error.message}`)));
  });
  const facts = lookUp(child.pid);
  if (facts !== undefined) record(run, server.name, facts);
  child.unref();
  await awaitAnswer(run, server);
}

function record(run, name, { pid, startTicks }) {
  writeWhole(recordOf(run, name), JSON.stringify({ pid, startTicks }));
}

async function awaitAnswer(run, server) {
  try {
    await waitUntil(server.check, {
      deadlineMs: server.startDeadlineMs,
      stop: () => (processOf(run, server) === undefined ? new Error('the process ended') : undefined),
    });
  } catch (error) {
    await end(run, server, 'SIGKILL');
    throw new Error(`${server.name} did not start: ${error.message}\n  last lines of ${logOf(run, server.name)}:\n${logTail(run, server)}`);
  }
}

function logTail(run, { name }) {
  const file = logOf(run, name);
  return existsSync(file) ? lastLines(readFileSync(file, 'utf8').slice(-20_000)) : '    (no log)';
}

/**
 * The server's own process, when it listens but no record tells of it: a run that was killed between the two.
 * @throws {Error} when somebody else listens on a port of the server
 */
async function ownProcessOnPorts(run, server) {
  for (const port of server.ports) {
    if (await isFree(port)) continue;
    const owner = listenerOn(port);
    if (owner !== undefined && isOurs(owner, run, server.name)) return owner;
    const who = owner === undefined ? "a process that is not this user's" : `process ${owner.pid} (${owner.command.slice(0, 120)})`;
    throw new Error(
      `${server.name} needs port ${port}, but ${who} listens there. End that process, or give this set other ports with PARCELWAY_SERVERS_PORT_BASE (see docs/servers.md).`,
    );
  }
  return undefined;
}

function isFree(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Ends a server with a signal and waits until its process is gone. One that ignores SIGTERM is killed.
 * @param {string} run
 * @param {Pick<Server, 'name'>} server
 * @param {'SIGTERM' | 'SIGKILL'} signal
 * @returns {Promise<boolean>} false when it did not run
 */
export async function end(run, server, signal) {
  const running = processOf(run, server);
  if (running === undefined) return false;
  const gone = (deadlineMs) =>
    waitUntil(
      () => {
        if (processOf(run, server) !== undefined) throw new Error(`process ${running.pid} of ${server.name} still runs`);
      },
      { deadlineMs },
    );
  process.kill(running.pid, signal);
  if (signal === 'SIGTERM') {
    if (running.paused) process.kill(running.pid, 'SIGCONT');
    try {
      await gone(STOP_DEADLINE_MS);
    } catch {
      // It had its time; nothing in a test set is worth more of it.
      return end(run, server, 'SIGKILL');
    }
  } else {
    await gone(KILL_DEADLINE_MS);
  }
  rmSync(recordOf(run, server.name), { force: true });
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
    { deadlineMs: KILL_DEADLINE_MS },
  );
}
