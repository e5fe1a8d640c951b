import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startScript } from '../../child-server.ts';
import { LinePublisher } from './line-publisher.ts';
import { registerEndpoints } from './register.ts';
import type { BenchEvent, EndpointPlan, Side, SideKind } from './side.ts';
import { CpuMeter, type Usage } from './usage.ts';

type Host = Child<{ readonly api: string; readonly intakePort: number }>;

/** Parcelway's webhook service in one process, on SQLite. */
class EmbeddedSide implements Side {
  readonly name = 'Parcelway, embedded';
  readonly #directory: string;
  readonly #meter = new CpuMeter();
  #host: Host;
  #publisher: LinePublisher;

  constructor(directory: string, host: Host) {
    this.#directory = directory;
    this.#host = host;
    this.#publisher = new LinePublisher(host.info.intakePort);
  }

  register(endpoints: readonly EndpointPlan[]): Promise<void> {
    const installation = JSON.parse(readFileSync(join(this.#directory, 'installation.json'), 'utf8')) as { internalSecret: string };
    return registerEndpoints(this.#host.info.api, installation.internalSecret, endpoints);
  }

  publish(event: BenchEvent): Promise<void> {
    return this.#publisher.publish(event);
  }

  async usage(): Promise<Usage> {
    return { cpuMicroseconds: { service: this.#meter.read([this.#host.pid]) } };
  }

  async killAndRestart(): Promise<void> {
    this.#meter.read([this.#host.pid]);
    process.kill(this.#host.pid, 'SIGKILL');
    // Of one that is killed it only waits for the end.
    await this.#host.stop();
    await this.#publisher.close();
    this.#host = await startHost(this.#directory);
    this.#publisher = new LinePublisher(this.#host.info.intakePort);
  }

  async close(): Promise<void> {
    await this.#publisher.close();
    await this.#host.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function startHost(directory: string): Promise<Host> {
  return startScript('webhooks/processes/webhook-host.js', [directory]);
}

/** Parcelway's webhook service on the embedded platform, on data of its own. */
export const embeddedKind: SideKind = {
  idHeader: 'webhook-id',
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
