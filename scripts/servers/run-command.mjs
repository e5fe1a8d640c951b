import { spawn } from 'node:child_process';

/** How much of a command's output is kept for the message of its failure. */
const TAIL_LINES = 25;

/** Process groups of the commands that run now, so that none outlives an interrupted run. */
const groups = new Set();

/** Ends every command that runs now, with its children. */
export function endCommands() {
  for (const pid of groups) signalGroup(pid);
}

/**
 * Runs a command to its end.
 * @param {string[]} command
 * @param {{ deadlineMs: number, cwd?: string, env?: Record<string, string> }} options `env` is added to ours
 * @returns {Promise<string>} what it wrote, stdout and stderr together
 * @throws {Error & { final: boolean }} with the last lines when it fails, is missing, or takes too long; `final` when a
 *   second attempt is not worth its time
 */
export function runCommand([file, ...args], { deadlineMs, cwd, env = {} }) {
  const shown = [file, ...args].join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    let late = false;
    const take = (chunk) => {
      output = (output + chunk).slice(-64_000);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
      late = true;
      signalGroup(child.pid);
    }, deadlineMs);
    const settle = (outcome) => {
      clearTimeout(timer);
      groups.delete(child.pid);
      outcome();
    };
    if (child.pid !== undefined) groups.add(child.pid);
    child.once('error', (error) => settle(() => reject(notStarted(file, error))));
    child.once('close', (code, signal) =>
      settle(() => {
        if (code === 0) return resolve(output);
        const how = late ? `stopped after ${deadlineMs / 1000} s` : `ended with ${code ?? signal}`;
        const error = new Error(`${shown}: ${how}\n${lastLines(output)}`);
        reject(Object.assign(error, { final: late }));
      }),
    );
  });
}

function notStarted(file, error) {
  if (error.code !== 'ENOENT') return error;
  return Object.assign(new Error(`${file} is not installed; docs/servers.md says what the servers need`), { final: true });
}

/**
 * The end of a text, indented for a message.
 * @param {string} text
 */
export function lastLines(text) {
  const lines = text.trimEnd().split('\n').slice(-TAIL_LINES);
  return lines.map((line) => `    ${line}`).join('\n');
}

function signalGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
