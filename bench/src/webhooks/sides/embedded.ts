import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Script, startScript } from '../../child.ts';
import { CpuMeter } from '../../process-usage.ts';
import { type BenchEvent, type EndpointPlan, registerEndpoints, type Side, type SideKind, type Usage } from './side.ts';

type Host = Script<{ readonly api: string }>;

const startHost = (directory: string): Promise<Host> => startScript('webhooks/processes/webhook-host.js', [directory]);

/** Parcelway's webhook service in one process, on SQLite. */
class EmbeddedSide implements Side {
  readonly name = 'Parcelway, embedded';
  readonly #directory: string;
  readonly #meter = new CpuMeter();
  #host: Host;

  constructor(directory: string, host: Host) {
    this.#directory = directory;
    this.#host = host;
  }

  register(endpoints: readonly EndpointPlan[]): Promise<void> {
    const installation = JSON.parse(readFileSync(join(this.#directory, 'installation.json'), 'utf8')) as { internalSecret: string };
    return registerEndpoints(this.#host.info.api, installation.internalSecret, endpoints);
  }

  publish(event: BenchEvent): Promise<unknown> {
    return this.#host.ask(event);
  }

  async usage(): Promise<Usage> {
    return { service: this.#meter.read([this.#host.pid]) };
  }

  async killAndRestart(): Promise<void> {
    this.#meter.read([this.#host.pid]);
    await this.#host.kill();
    this.#host = await startHost(this.#directory);
  }

  async close(): Promise<void> {
    await this.#host.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Parcelway's webhook service on the embedded platform, on data of its own. */
export const embeddedKind: SideKind = {
  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
    try {
      return new EmbeddedSide(directory, await startHost(directory));
    } catch (error) {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  },
  serverMicroseconds: async () => undefined,
  close: async () => undefined,
};
