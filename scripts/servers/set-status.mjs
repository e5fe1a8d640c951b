import { processOf } from './server.mjs';
import { serversOf } from './server-set.mjs';

/**
 * How a server is. `unready`: it runs, but does not serve; `problem` says why.
 * @typedef {{ name: string, state: 'ready' | 'paused' | 'unready' | 'stopped', pid: number | null, rss_mb: number,
 *   ports: number[], artifact: string, problem: string | null }} ServerStatus
 */

/**
 * How each server of a set is; asks them all.
 * @param {string} run
 * @param {import('./places.mjs').SetConfig} config
 * @returns {Promise<ServerStatus[]>}
 */
export function statusOf(run, config) {
  return Promise.all(
    serversOf(config).map(async (server) => {
      const running = processOf(run, server);
      const { name, ports, artifact } = server;
      const facts = { name, ports, artifact: artifact.name, pid: running?.pid ?? null, rss_mb: running?.rssMb ?? 0, problem: null };
      if (running === undefined) return { ...facts, state: 'stopped' };
      if (running.paused) return { ...facts, state: 'paused' };
      try {
        await server.check();
        await server.settled?.();
        return { ...facts, state: 'ready' };
      } catch (error) {
        return { ...facts, state: 'unready', problem: error.message };
      }
    }),
  );
}

/**
 * The same as lines for a reader.
 * @param {string} run
 * @param {ServerStatus[]} servers
 */
export function renderStatus(run, servers) {
  const lines = servers.map(({ name, state, pid, rss_mb, ports, artifact, problem }) => {
    const columns = [
      name.padEnd(10),
      state.padEnd(8),
      String(pid ?? '-').padStart(8),
      `${rss_mb} MB`.padStart(8),
      artifact.padEnd(28),
      ports.join(','),
    ];
    return `${columns.join('  ')}${problem === null ? '' : `  ${problem}`}\n`;
  });
  const total = servers.reduce((sum, server) => sum + server.rss_mb, 0);
  return `${lines.join('')}${total} MB in all; data and logs in ${run}\n`;
}
