// `npm run test:rollout`: a rolling restart of every service under load, on real servers; see e2e/src/rollout/main.ts for its options.
// Takes the servers that the environment names; else containers, where there is an engine; else those of `npm run servers`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './jest-run.ts';
import { openRealServers } from './real-servers.ts';

// An interrupt reaches the programs, too, and they have processes and servers to put in order.
process.on('SIGINT', () => undefined);

/** Runs a program; its output is shown as it comes. @returns its exit code */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

process.exitCode = await run(['tools/build/build.mjs']);
if (process.exitCode === 0) {
  const servers = await openRealServers();
  console.log(`servers: ${servers.what}`);
  try {
    process.exitCode = await run(['e2e/dist/rollout/main.js', ...process.argv.slice(2)], servers.env);
  } finally {
    await servers.close();
  }
}
