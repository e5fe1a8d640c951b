import { messageOf } from './caught-error.ts';
import type { SetConfig } from './places.ts';
import { processOf } from './server.ts';
import { serversOf } from './server-set.ts';

/** How a server is. `unready`: it runs, but does not serve; `problem` says why. */
export interface ServerStatus {
  readonly name: string;
  readonly state: 'ready' | 'paused' | 'unready' | 'stopped';
  readonly pid: number | null;
  readonly ports: readonly number[];
  readonly artifact: string;
  readonly problem: string | null;
}

/** How each server of a set is; asks them all. */
export function statusOf(run: string, config: SetConfig): Promise<ServerStatus[]> {
  return Promise.all(
    serversOf(config).map(async (server) => {
      const running = processOf(run, server);
      const { name, ports, artifact } = server;
      const facts = { name, ports, artifact: artifact.name, pid: running?.pid ?? null, problem: null };
      if (running === undefined) return { ...facts, state: 'stopped' };
      if (running.paused) return { ...facts, state: 'paused' };
      try {
        await server.check();
        await server.settled?.();
        return { ...facts, state: 'ready' };
      } catch (error) {
        return { ...facts, state: 'unready', problem: messageOf(error) };
      }
    }),
  );
}

/** The same as lines for a reader. */
export function renderStatus(run: string, servers: ServerStatus[]) {
  const lines = servers.map(({ name, state, pid, ports, artifact, problem }) => {
    const columns = [name.padEnd(10), state.padEnd(8), String(pid ?? '-').padStart(8), artifact.padEnd(28), ports.join(',')];
    return `${columns.join('  ')}${problem === null ? '' : `  ${problem}`}\n`;
  });
  return `${lines.join('')}data and logs in ${run}\n`;
}
