// `npm run test:rollout`: a rolling restart of every service under load, on real servers; see e2e/src/rollout/main.ts for its options.
// Takes the servers that the environment names, else those of `npm run servers`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './jest-run.ts';
import { openRealServers } from './real-servers.ts';

// With --json, standard output is for a program alone.
const out = process.argv.includes('--json') ? process.stderr : process.stdout;
console.log = (text) => out.write(`${text}\n`);

/** What a program gets from us. */
interface Places {
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** File descriptor of standard output. */
  readonly stdout?: 'inherit' | 1 | 2;
}

/** Runs a program; its output is shown as it comes. @returns its exit code */
async function run(file: string, args: readonly string[], { env = {}, stdout = 'inherit' }: Places = {}): Promise<number> {
  const child = spawn(file, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', stdout, 'inherit'] });
  // An interrupt reaches it, too, and it has processes and servers to put in order.
  process.on('SIGINT', () => undefined);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

process.exitCode = await run(process.execPath, ['tools/build/build.mjs'], { stdout: out.fd });
if (process.exitCode === 0) {
  const servers = openRealServers();
  console.log(`servers: ${servers.what}`);
  try {
    process.exitCode = await run(process.execPath, ['e2e/dist/rollout/main.js', ...process.argv.slice(2)], { env: servers.env });
  } finally {
    servers.close();
  }
}
