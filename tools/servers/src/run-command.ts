import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How much of a command's output is kept for the message of its failure. */
const TAIL_LINES = 25;

/** How a command runs: its bound in milliseconds, its folder, and what is added to our environment. */
export interface CommandOptions {
  readonly deadlineMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command to its end.
 * @returns what it wrote to standard output
 * @throws Error with the last lines when it fails, is missing or takes too long
 */
export async function runCommand([file = '', ...args]: readonly string[], { deadlineMs, cwd, env = {} }: CommandOptions): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: deadlineMs, killSignal: 'SIGKILL', maxBuffer: 64 << 20 } as const;
  try {
    return (await promisify(execFile)(file, args, options)).stdout;
  } catch (error) {
    const { code, killed, stdout = '', stderr = '' } = error as Error & Partial<Record<'code' | 'killed' | 'stdout' | 'stderr', string>>;
    if (code === 'ENOENT') throw new Error(`${file} is not installed; tools/servers/README.md says what the servers need`);
    const how = killed ? `stopped after ${deadlineMs / 1000} s` : `ended with ${code}`;
    throw new Error(`${[file, ...args].join(' ')}: ${how}\n${lastLines(stdout + stderr)}`);
  }
}

/** The end of a text, indented for a message. */
export function lastLines(text: string) {
  const lines = text.trimEnd().split('\n').slice(-TAIL_LINES);
  return lines.map((line) => `    ${line}`).join('\n');
}
