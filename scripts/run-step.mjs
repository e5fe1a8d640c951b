import { spawn } from 'node:child_process';

/** No step may take longer unless it says so; a hanging test must not hang the run. */
const STEP_TIMEOUT_MS = 240_000;

/**
 * Runs one step of the test command and prints one line about it; its output is shown only when it fails, or as it
 * comes with `live`.
 * @param {{ name: string, command: string[], env?: Record<string, string>, live?: boolean, timeoutMs?: number, shown?: RegExp }} step
 *   `shown`: of the output of a failure only the lines that match, if any does
 * @param {string} cwd
 * @returns {Promise<{ name: string, ok: boolean, seconds: number, output: string }>} how it went, and what it printed; never rejects
 */
export function runStep({ name, command: [file, ...args], env = {}, live = false, timeoutMs = STEP_TIMEOUT_MS, shown }, cwd) {
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
    const finish = (ok) => {
      clearTimeout(timer);
      const seconds = (performance.now() - started) / 1000;
      const matching = shown === undefined ? [] : output.split('\n').filter((line) => shown.test(line));
      if (matching.length > 0) output = matching.join('\n');
      if (!ok && output !== '') process.stdout.write(`${output.trimEnd()}\n`);
      process.stdout.write(`${ok ? 'ok  ' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)\n`);
      resolve({ name, ok, seconds, output });
    };
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', (error) => {
      output += `${error.message}\n`;
      finish(false);
    });
    child.once('close', (code) => finish(code === 0));
  });
}
