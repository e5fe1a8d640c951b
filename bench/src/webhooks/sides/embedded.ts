import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Script, startScript } from '../../child.ts';
import { startQueueProcess } from './queue-process.ts';
import { registerEndpoints, type Side, type SideKind } from './side.ts';

const startHost = (directory: string): Promise<Script<{ readonly api: string }>> =>
  startScript('webhooks/processes/webhook-host.js', [directory]);

async function openSide(directory: string): Promise<Side> {
  const host = await startQueueProcess(() => startHost(directory));
  return {
    name: 'Parcelway, embedded',
    register(endpoints) {
      const installation = JSON.parse(readFileSync(join(directory, 'installation.json'), 'utf8')) as { internalSecret: string };
      return registerEndpoints(host.current().info.api, installation.internalSecret, endpoints);
    },
    publish: (event) => host.current().ask(event),
    usage: async () => ({ service: host.usedMicroseconds() }),
    killAndRestart: host.killAndRestart,
    async close() {
      await host.current().end('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Runs the webhook service of Parcelway in one process, on SQLite in a temporary directory. */
export const embeddedKind: SideKind = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  return openSide(directory).catch((error: unknown) => {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  });
};
