import { Merchant } from '@parcelway/harness/merchant';
import { WarehouseClerk } from '@parcelway/harness/warehouse';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { shortestRun } from './figures.ts';
import { TracedPlatform } from './traced-platform.ts';
import type { Call, Recording } from './tracer.ts';

/** The measured ways through the code. */
export const pathNames = ['submission', 'weighing', 'webhook', 'delivery'] as const;
export type PathName = (typeof pathNames)[number];

/** What each path is. */
export const pathTitles: Readonly<Record<PathName, string>> = {
  submission: 'Submission, request only',
  weighing: 'Weighing, request only',
  webhook: 'Weighing to delivered webhook',
  delivery: 'One delivery inside `webhook`',
};

/** The calls of each path, of the run with the fewest entries. */
export type Paths = Readonly<Record<PathName, readonly Call[]>>;

/** Runs before those that count: caches fill, connections open. */
const WARM_UP_RUNS = 3;
const RUNS = 5;

/** Calls that a request waits for, until its response is sent. */
function requestOf({ calls, callsUntilResponse }: Recording): readonly Call[] {
  return calls.slice(0, callsUntilResponse ?? 0).filter((call) => call.isOfRequest);
}

/** Calls inside the webhook service. A call is an entry when the call before it, inside the service, was of another file. */
function deliveryOf({ calls }: Recording): readonly Call[] {
  const last = new Map<number, string>();
  const inside = calls.filter(({ file }) => file.startsWith('services/webhook/'));
  return inside.map((call) => {
    const isEntry = last.get(call.chain) !== call.file;
    last.set(call.chain, call.file);
    return { ...call, isEntry };
  });
}

/** A merchant with a webhook endpoint, and its warehouse. */
class Outside {
  readonly #platform: TracedPlatform;
  readonly #merchant: Merchant;
  readonly #clerk: WarehouseClerk;
  readonly #receiver: WebhookReceiver;

  constructor(platform: TracedPlatform, receiver: WebhookReceiver) {
    this.#platform = platform;
    this.#receiver = receiver;
    const { tenant, warehouse } = platform.platform.quickstart;
    const identity = { tenantId: tenant.id, keyId: 'quickstart', key: tenant.api_key, warehouseCode: warehouse.code };
    this.#merchant = new Merchant(platform.platform.client(), identity);
    this.#clerk = new WarehouseClerk(platform.platform.client(warehouse.api_key), warehouse.code);
  }

  async register(): Promise<void> {
    await this.#merchant.createEndpoint({ url: this.#receiver.url });
  }

  /** Submits a forecast and reports its weighing, and records both. */
  async parcel(): Promise<{ readonly submission: Recording; readonly weighing: Recording }> {
    const body = await this.#merchant.body();
    const submission = await this.#platform.record(
      () => this.#merchant.client.expectOk('/open/v1/forecasts'),
      () => this.#merchant.submitBody(body),
    );
    const { po_number: poNumber } = body as { po_number: string };
    const { forecast_no } = await this.#merchant.forecast(poNumber);
    const size = { length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 1.84 };
    const event = this.#clerk.event({ type: 'weighing', forecast_no, ...size });
    const weighing = await this.#platform.record(
      () => this.#clerk.unclaimed(),
      async () => {
        await this.#clerk.report(event);
        await this.#receiver.waitForEvent('parcel.weighed', poNumber);
      },
    );
    return { submission, weighing };
  }
}

/** Drives a warmed-up platform along the paths, several times. */
export async function recordPaths(everyFunction: boolean): Promise<Paths> {
  const receiver = await WebhookReceiver.start();
  try {
    const platform = await TracedPlatform.start(everyFunction);
    try {
      const outside = new Outside(platform, receiver);
      await outside.register();
      for (let run = 0; run < WARM_UP_RUNS; run += 1) await outside.parcel();
      await platform.rest();
      const parcels: Awaited<ReturnType<Outside['parcel']>>[] = [];
      for (let run = 0; run < RUNS; run += 1) parcels.push(await outside.parcel());
      const submissions = parcels.map(({ submission }) => submission);
      const weighings = parcels.map(({ weighing }) => weighing);
      return {
        submission: requestOf(shortestRun(submissions, requestOf)),
        weighing: requestOf(shortestRun(weighings, requestOf)),
        webhook: shortestRun(weighings, ({ calls }) => calls).calls,
        delivery: deliveryOf(shortestRun(weighings, deliveryOf)),
      };
    } finally {
      await platform.dispose();
    }
  } finally {
    await receiver.stop();
  }
}
