import { readFileSync } from 'node:fs';
import type { ForecastValidation } from '@parcelway/contracts/forecast-validation-api';
import { platformMode } from '@parcelway/harness/installation';
import { KeptPlatform } from '@parcelway/harness/kept-platform';
import { newPoNumber } from '@parcelway/harness/merchant';
import { Operator } from '@parcelway/harness/operator';
import type { Platform } from '@parcelway/harness/platform';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { expectRoute } from '@parcelway/harness/route-call';
import { sampleSubmission } from '@parcelway/harness/sample-data';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { request } from 'undici';

const METRICS_WITHIN_MS = 5000;

/**
 * A platform with those who act on it: what a scenario starts from.
 * @typeParam P what may be done with the platform: everything with one of one's own, see {@link OwnStage}
 */
export class Stage<P extends Platform = Platform> {
  readonly platform: P;
  /** The warehouse of the first start; a new one on a platform that is shared. */
  readonly clerk: WarehouseClerk;
  readonly #end: () => Promise<void>;
  readonly #receivers: WebhookReceiver[] = [];
  #operator: Operator;

  private constructor(platform: P, operator: Operator, clerk: WarehouseClerk, end: () => Promise<void>) {
    this.platform = platform;
    this.#operator = operator;
    this.clerk = clerk;
    this.#end = end;
  }

  /** Starts a platform of its own. @param env further environment variables */
  static async open(env: Readonly<Record<string, string>> = {}): Promise<OwnStage> {
    const platform = await PlatformProcess.start({ env });
    const end = (): Promise<void> => platform.dispose();
    try {
      const operator = new Operator(platform);
      return new Stage(platform, operator, await operator.clerk(), end);
    } catch (error) {
      // Nobody else can end what was started.
      await end();
      throw error;
    }
  }

  /**
   * Takes the platform that the test files of this process share, with a warehouse of its own that all services know.
   * @param env further environment variables; those who name the same share a platform
   */
  static async share(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
    const platform = await KeptPlatform.ofThisProcess(env);
    const end = (): Promise<void> => platform.release();
    try {
      const clerk = await new Operator(platform).newWarehouse();
      const operator = new Operator(platform, clerk.code);
      await untilKnown(operator);
      return new Stage(platform, operator, clerk, end);
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** The operator. The admin port changes when the platform is started again. */
  get operator(): Operator {
    if (this.#operator.admin.baseUrl !== this.platform.quickstart.admin.url) this.#operator = new Operator(this.platform, this.clerk.code);
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

  /** Addresses of the admin servers of all processes. @param service only of its replicas; embedded, the one process has all services */
  adminUrls(service?: string): readonly string[] {
    if (platformMode() === 'embedded') return [this.platform.quickstart.admin.url];
    const processes = this.platform.services().filter(({ name }) => service === undefined || name.startsWith(`${service}-`));
    return processes.map(({ admin_url }) => admin_url);
  }

  /** The metrics of those processes, one text after the other. */
  async metrics(service?: string): Promise<string> {
    const read = async (url: string): Promise<string> =>
      (await request(`${url}/metrics`, { signal: AbortSignal.timeout(METRICS_WITHIN_MS) })).body.text();
    return (await Promise.all(this.adminUrls(service).map(read))).join('\n');
  }

  async close(): Promise<void> {
    // The receivers first: a delivery that waits for one of them would hold up the platform's stop.
    await Promise.all(this.#receivers.map((receiver) => receiver.stop()));
    await this.#end();
  }
}

/** A stage whose platform may be stopped, started again and broken: no other test file uses it. */
export type OwnStage = Stage<PlatformProcess>;

/** Waits until a forecast for the warehouse of an operator's merchants would be accepted: the services learn of a new warehouse within a second. */
async function untilKnown(operator: Operator): Promise<void> {
  const { client, identity } = await operator.newMerchant();
  const body = sampleSubmission({ poNumber: newPoNumber(), warehouseCode: identity.warehouseCode });
  const isValid = async (): Promise<boolean> => (await expectRoute<ForecastValidation>(client, 'validateForecast', { body })).valid;
  await until(isValid, { what: 'the services to know a new warehouse' });
}
