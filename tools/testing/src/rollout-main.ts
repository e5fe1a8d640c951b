// `npm run test:rollout`: a rolling restart of every service under load, on real servers; see e2e/src/rollout/main.ts for its options.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './jest-run.ts';
import { openRealServers } from './real-servers.ts';

// An interrupt reaches the program, too, and it has processes and servers to put in order.
process.on('SIGINT', () => undefined);

const servers = openRealServers();
try {
  const args = ['e2e/dist/rollout/main.js', ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...servers.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  servers.close();
}
