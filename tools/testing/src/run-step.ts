import { spawn } from 'node:child_process';

/** No step may take longer unless it says so; a hanging test must not hang the run. */
const STEP_TIMEOUT_MS = 240_000;

/** A step of a test command. */
export interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Shows its output as it comes, not only when it fails. */
  readonly live?: boolean;
  readonly timeoutMs?: number;
  /** Shows only those lines of a failure that match, if any does. */
  readonly shown?: RegExp;
}

/** How a step went, and what it printed. */
export interface StepOutcome {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

/**
 * Runs one step and prints one line about it; its output is shown only when it fails, or as it comes with `live`.
 * @returns never rejects
 */
export function runStep(
  { name, command, env = {}, live = false, timeoutMs = STEP_TIMEOUT_MS, shown }: Step,
  cwd: string,
): Promise<StepOutcome> {
  const [file = '', ...args] = command;
  const started = performance.now();
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    });
    const timer = setTimeout(() => {
      output += `\n${name}: stopped after ${timeoutMs / 1000} s\n`;
      child.kill('SIGKILL');
    }, timeoutMs);
    const finish = (ok: boolean) => {
      clearTimeout(timer);
      const seconds = (performance.now() - started) / 1000;
      const matching = shown === undefined ? [] : output.split('\n').filter((line) => shown.test(line));
      if (matching.length > 0) output = matching.join('\n');
      if (!ok && output !== '') process.stdout.write(`${output.trimEnd()}\n`);
      process.stdout.write(`${ok ? 'ok  ' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)\n`);
      resolve({ name, ok, seconds, output });
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.once('error', (error: Error) => {
      output += `${error.message}\n`;
      finish(false);
    });
    child.once('close', (code: number | null) => finish(code === 0));
  });
}
