import { spawn } from 'node:child_process';
import { codeOf } from './caught-error.ts';

/** How much of a command's output is kept for the message of its failure. */
const TAIL_LINES = 25;

/** Process groups of the commands that run now, so that none outlives an interrupted run. */
const groups = new Set<number>();

/** Ends every command that runs now, with its children. */
export function endCommands() {
  for (const pid of groups) signalGroup(pid);
}

/** How a command runs: its bound in milliseconds, its folder, and what is added to our environment. */
export interface CommandOptions {
  readonly deadlineMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A command failed in a way that a second attempt does not change. */
export class FinalError extends Error {}

/**
 * Runs a command to its end.
 * @param options `env` is added to ours
 * @returns what it wrote, stdout and stderr together
 * @throws Error with the last lines when it fails; FinalError when it is missing or takes too long: a second attempt is not worth its time
 */
export function runCommand([file = '', ...args]: readonly string[], { deadlineMs, cwd, env = {} }: CommandOptions): Promise<string> {
  const shown = [file, ...args].join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    let late = false;
    const take = (chunk: Buffer) => {
      output = (output + chunk).slice(-64_000);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
      late = true;
      if (child.pid !== undefined) signalGroup(child.pid);
    }, deadlineMs);
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      if (child.pid !== undefined) groups.delete(child.pid);
      outcome();
    };
    if (child.pid !== undefined) groups.add(child.pid);
    child.once('error', (error: Error) => settle(() => reject(notStarted(file, error))));
    child.once('close', (code: number | null, signal: NodeJS.Signals | null) =>
      settle(() => {
        if (code === 0) return resolve(output);
        const how = late ? `stopped after ${deadlineMs / 1000} s` : `ended with ${code ?? signal}`;
        const message = `${shown}: ${how}\n${lastLines(output)}`;
        reject(late ? new FinalError(message) : new Error(message));
      }),
    );
  });
}

function notStarted(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT') return error;
  return new FinalError(`${file} is not installed; tools/servers/README.md says what the servers need`);
}

/** The end of a text, indented for a message. */
export function lastLines(text: string) {
  const lines = text.trimEnd().split('\n').slice(-TAIL_LINES);
  return lines.map((line) => `    ${line}`).join('\n');
}

function signalGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
