import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { until } from '@parcelway/kernel/testing/until';
import type { Order } from './preload.ts';
import type { Activity, Recording } from './tracer.ts';

const ORDER_WITHIN_MS = 10_000;
/** Longer than the polls of an idle platform take to come round. */
const REST_MS = 5000;
/** A platform that called nothing but its polls for so long is idle. */
const QUIET_MS = 300;
/** So long after the request that warms the platform up: short, for it remembers keys for two seconds only. */
const QUIET_WARM_MS = 50;

/** An embedded platform on throw-away data that records which functions are called. */
export class TracedPlatform {
  readonly platform: PlatformProcess;
  readonly #socket: Socket;
  readonly #lines: Interface;

  private constructor(platform: PlatformProcess, socket: Socket) {
    this.platform = platform;
    this.#socket = socket;
    this.#lines = createInterface({ input: socket });
  }

  /** Starts one. @param everyFunction whether to record functions that are one expression, too */
  static async start(everyFunction: boolean): Promise<TracedPlatform> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection');
    try {
      const platform = await PlatformProcess.start({
        env: {
          NODE_OPTIONS: `--import ${new URL('preload.js', import.meta.url).href}`,
          PATHS_PORT: String((server.address() as AddressInfo).port),
          PATHS_EVERY_FUNCTION: String(everyFunction),
        },
      });
      const [socket] = (await connected) as [Socket];
      return new TracedPlatform(platform, socket);
    } finally {
      server.close();
    }
  }

  /** Learns what the platform does when nobody asks anything of it, to leave that out of recordings. */
  async rest(): Promise<void> {
    await this.#quiet(QUIET_MS);
    await this.#order('begin');
    await pause(REST_MS);
    await this.#order('rest');
  }

  /**
   * Records a piece of work from an idle platform to an idle platform.
   * @param warmUp sends a request that changes nothing, with the key that the work uses
   * @param work has to send one request first
   */
  async record(warmUp: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Recording> {
    await this.#quiet(QUIET_MS);
    await warmUp();
    await this.#quiet(QUIET_WARM_MS);
    await this.#order('begin');
    await work();
    await until(async () => ((await this.#order('activity')) as Activity).isResponseSent, { what: 'the response to be sent' });
    await this.#quiet(QUIET_MS);
    return (await this.#order('end')) as Recording;
  }

  /** Ends the platform and removes its data. */
  async dispose(): Promise<void> {
    this.#socket.destroy();
    await this.platform.dispose();
  }

  async #quiet(forMs: number): Promise<void> {
    const isQuiet = async () => ((await this.#order('activity')) as Activity).quietMs >= forMs;
    await until(isQuiet, { what: 'the platform to be idle' });
  }

  async #order(order: Order): Promise<unknown> {
    const responded = once(this.#lines, 'line', { signal: AbortSignal.timeout(ORDER_WITHIN_MS) });
    this.#socket.write(`${order}\n`);
    try {
      const [line] = (await responded) as [string];
      return JSON.parse(line);
    } catch (error) {
      throw new Error(`The traced platform did not respond to "${order}"`, { cause: error });
    }
  }
}
