import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { until } from '@parcelway/kernel/testing/until';
import { request } from 'undici';

/** Ports on which a process listens. */
export interface PodPorts {
  readonly service: number;
  readonly admin: number;
  /** Of a gateway. */
  readonly public: number;
}

/** What a process is started with. */
export interface PodOptions {
  /** Such as `forecast-3`. */
  readonly name: string;
  readonly service: ServiceName;
  readonly ports: PodPorts;
  /** Directory of the version that it runs, built. */
  readonly version: string;
  /** Variables besides its ports. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a process ended. */
export interface PodEnd {
  /** Exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals | null;
  /** From SIGTERM to its end. */
  readonly ms: number;
}

const PROBE_EVERY_MS = 250;
const PROBE_TIMEOUT_MS = 2000;
const MAX_LOG_CHARS = 2_000_000;

/** One process of a service, as Kubernetes runs it: given its ports, asked whether it is ready, ended by SIGTERM. */
export class Pod {
  readonly name: string;
  readonly service: ServiceName;
  readonly ports: PodPorts;
  readonly #child: ChildProcess;
  readonly #startedAt = performance.now();
  #log = '';

  constructor({ name, service, ports, version, env }: PodOptions) {
    this.name = name;
    this.service = service;
    this.ports = ports;
    const main = join(version, 'services', service, 'dist', 'main.js');
    this.#child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env['PATH'],
        ...env,
        SERVICE_HOST: '127.0.0.1',
        SERVICE_PORT: String(ports.service),
        ADMIN_HOST: '127.0.0.1',
        ADMIN_PORT: String(ports.admin),
        ...(service === 'gateway' ? { HOST: '127.0.0.1', PORT: String(ports.public) } : {}),
      },
      // It ends with this process: the channel between them breaks.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#log = (this.#log + chunk.toString()).slice(-MAX_LOG_CHARS);
    });
  }

  /** True until it has ended. */
  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it has logged: a line of JSON for each event. */
  get log(): string {
    return this.#log;
  }

  /** Asks its readiness probe until it passes. @returns milliseconds since its start @throws Error with its log when it ends before, or takes too long */
  async untilReady(within: number): Promise<number> {
    const ready = async (): Promise<boolean> => !this.running || (await this.#isReady());
    await until(ready, { within, everyMs: PROBE_EVERY_MS, what: `${this.name} to be ready` }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.#log.slice(-2000)}`);
    });
    if (!this.running) throw new Error(`${this.name} ended before it was ready:\n${this.#log.slice(-2000)}`);
    return performance.now() - this.#startedAt;
  }

  /** SIGTERM, and SIGKILL when it has not ended `graceMs` later. */
  async terminate(graceMs: number): Promise<PodEnd> {
    const startedAt = performance.now();
    if (this.running) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    }
    return { code: this.#child.signalCode ?? this.#child.exitCode, ms: performance.now() - startedAt };
  }

  async #isReady(): Promise<boolean> {
    const response = await request(`http://127.0.0.1:${this.ports.admin}/readyz`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      reset: true,
    });
    await response.body.dump();
    return response.statusCode === 200;
  }
}
