import { readFileSync } from 'node:fs';
import { platformMode } from '@parcelway/harness/installation';
import { Operator } from '@parcelway/harness/operator';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { request } from 'undici';

const METRICS_WITHIN_MS = 5000;

/** A platform with those who act on it: what a scenario starts from. */
export class Stage {
  readonly platform: PlatformProcess;
  /** The warehouse of the first start. */
  readonly clerk: WarehouseClerk;
  readonly #receivers: WebhookReceiver[] = [];
  #operator: Operator;

  private constructor(platform: PlatformProcess, operator: Operator, clerk: WarehouseClerk) {
    this.platform = platform;
    this.#operator = operator;
    this.clerk = clerk;
  }

  /** Starts a platform of its own. @param env further environment variables */
  static async open(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
    const platform = await PlatformProcess.start({ env });
    try {
      const operator = new Operator(platform);
      return new Stage(platform, operator, await operator.clerk());
    } catch (error) {
      // Nobody else can end what was started.
      await platform.dispose();
      throw error;
    }
  }

  /** The operator. The admin port changes when the platform is started again. */
  get operator(): Operator {
    if (this.#operator.admin.baseUrl !== this.platform.quickstart.admin.url) this.#operator = new Operator(this.platform);
    return this.#operator;
  }

  /** A merchant's receiver; stopped with the stage. */
  async receiver(): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    this.#receivers.push(receiver);
    return receiver;
  }

  /** Where raw bytes go: the public port, and the certificate to trust, as PEM. */
  get target(): { readonly port: number; readonly ca: string } {
    const { base_url, ca_file } = this.platform.quickstart;
    return { port: Number(new URL(base_url).port), ca: readFileSync(ca_file, 'utf8') };
  }

  /** The metrics of all processes, one text after the other. */
  async metrics(): Promise<string> {
    const { admin } = this.platform.quickstart;
    const urls = platformMode() === 'embedded' ? [admin.url] : this.platform.services().map(({ admin_url }) => admin_url);
    const read = async (url: string): Promise<string> =>
      (await request(`${url}/metrics`, { signal: AbortSignal.timeout(METRICS_WITHIN_MS) })).body.text();
    return (await Promise.all(urls.map(read))).join('\n');
  }

  async close(): Promise<void> {
    // The receivers first: a delivery that waits for one of them would hold up the platform's stop.
    await Promise.all(this.#receivers.map((receiver) => receiver.stop()));
    await this.platform.dispose();
  }
}
