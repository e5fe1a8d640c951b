import { Operator } from '@parcelway/harness/operator';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';

/** A platform with those who act on it: what a scenario starts from. */
export class Stage {
  readonly platform: PlatformProcess;
  readonly operator: Operator;
  /** The warehouse of the first start. */
  readonly clerk: WarehouseClerk;
  readonly #receivers: WebhookReceiver[] = [];

  private constructor(platform: PlatformProcess, operator: Operator, clerk: WarehouseClerk) {
    this.platform = platform;
    this.operator = operator;
    this.clerk = clerk;
  }

  /** Starts a platform of its own. @param env further environment variables */
  static async open(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
    const platform = await PlatformProcess.start({ env });
    const operator = new Operator(platform);
    return new Stage(platform, operator, await operator.clerk());
  }

  /** A merchant's receiver; stopped with the stage. */
  async receiver(): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    this.#receivers.push(receiver);
    return receiver;
  }

  async close(): Promise<void> {
    // The receivers first: a delivery that waits for one of them would hold up the platform's stop.
    await Promise.all(this.#receivers.map((receiver) => receiver.stop()));
    await this.platform.dispose();
  }
}
