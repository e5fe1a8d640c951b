import { Merchant } from '@parcelway/harness/merchant';
import { Operator } from '@parcelway/harness/operator';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { WarehouseClerk } from '@parcelway/harness/warehouse';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { checkLedger, type LedgerReport } from '../kill/check-ledger.ts';
import { Ledger } from '../kill/ledger.ts';
import { readersOf, withOutsider } from './consumer-faults.ts';
import { ContinuousLoad } from './continuous-load.ts';
import type { Fault, FaultReport, FaultStage, Findings } from './fault.ts';
import type { FaultServers } from './fault-servers.ts';

/** Deliveries that a fault cut off are tried again soon, so that the ledger is complete within its deadline. */
const RETRY_SCHEDULE = '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s,10s,10s';
/** So high that the load never meets it, and still taken from at every call. */
const RATE_LIMIT = { per_second: 10_000, burst: 10_000 };
const LOAD = { workers: 6, parcelsPerSecond: 12 };
/** The load runs this long before the fault, and after it has been healed. */
const CALM_MS = 2000;
/** Parcels begun have to be through so long after the fault. */
const FINISH_MS = 40_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a fault works with, besides the load; and what the ledger alone hears of. */
interface Cast extends Omit<FaultStage, 'load'> {
  readonly correctionReceiver: WebhookReceiver;
}

/** Those who act on a platform, with keys of their own. */
async function castOf(servers: FaultServers, platform: PlatformProcess): Promise<Cast> {
  const operator = new Operator(platform);
  const { tenant, warehouse } = platform.quickstart;
  const { key, key_id } = await operator.issueKey({ tenant_id: tenant.id }, { rate_limit: RATE_LIMIT });
  const identity = { tenantId: tenant.id, keyId: key_id, key, warehouseCode: warehouse.code };
  const clerksKey = await operator.issueKey({ warehouse_code: warehouse.code }, { rate_limit: RATE_LIMIT });
  const merchant = new Merchant(platform.client(key), identity);
  const clerk = new WarehouseClerk(platform.client(clerksKey.key), warehouse.code);
  const receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()] as const;
  const correctionReceiver = await WebhookReceiver.start();
  for (const { url } of receivers) await merchant.createEndpoint({ url });
  await merchant.createEndpoint({ url: correctionReceiver.url, event_types: ['forecast.corrected'] });
  return { servers, platform, operator, merchant, clerk, receivers, correctionReceiver };
}

/** A response of 500 is a defect, whatever is broken. */
function internalErrors(load: ContinuousLoad): string[] {
  return [...load.failures].filter(([what]) => what.endsWith(': 500')).map(([what, count]) => `${count} times an internal error: ${what}`);
}

/** The report on a ledger that could not be read: a finding about this fault, and no reason to leave out the others. */
function unreadLedger(error: unknown): LedgerReport {
  const totals = { forecasts: 0, corrections: 0, weighings: 0, claims: 0, dismissals: 0, webhooks: 0, repeatedWebhooks: 0 };
  return { ...totals, violations: [`the ledger could not be read: ${error}`] };
}

/** A platform for faults that need the same servers in the same way, with two receivers of all its events. */
export class FaultPlatform {
  readonly #cast: Cast;

  private constructor(cast: Cast) {
    this.#cast = cast;
  }

  /** Starts one as `fault` needs it. */
  static async start(servers: FaultServers, fault: Pick<Fault, 'proxied' | 'env'>): Promise<FaultPlatform> {
    const env = { WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE, LOG_LEVEL: 'error', ...fault.env };
    Object.assign(process.env, { PARCELWAY_MODE: 'distributed', ...servers.platformEnv(fault.proxied) });
    const platform = await PlatformProcess.start({ env, links: false });
    return new FaultPlatform(await castOf(servers, platform));
  }

  /** Strikes under load, heals, and lets the ledger judge. */
  async run(fault: Fault): Promise<FaultReport> {
    const { merchant, clerk, platform, receivers, correctionReceiver } = this.#cast;
    // What came late of an earlier fault is no business of this one.
    for (const { received } of [...receivers, correctionReceiver]) received.length = 0;
    const ledger = new Ledger();
    const load = new ContinuousLoad({ merchant: merchant.client, warehouse: clerk.client }, clerk.code, ledger, LOAD);
    const stage: FaultStage = { ...this.#cast, load };
    await pause(CALM_MS);
    const findings = await fault
      .strike(stage)
      .catch((error: unknown): Findings => ({ observed: 'the fault could not be carried out', violations: [String(error)] }));
    const healedAt = performance.now();
    await pause(CALM_MS);
    const unfinished = await load.finish(FINISH_MS).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    // What is still on its way could have an effect a second time: the ledger is read when nothing is.
    const loud = await untilQuiet(this.#cast).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    const witnesses = { admin: platform.admin(), merchant: merchant.client, warehouse: clerk.client, receivers, correctionReceiver };
    const checked = await checkLedger(ledger, witnesses).catch((error: unknown) => unreadLedger(error));
    return {
      fault,
      ledger: checked,
      observed: findings.observed,
      failedRequests: [...load.failures.values()].reduce((sum, count) => sum + count, 0),
      quietAfterS: (performance.now() - healedAt) / 1000,
      violations: [...findings.violations, ...internalErrors(load), ...unfinished, ...loud, ...checked.violations],
    };
  }

  /** What its processes have logged, newest last. */
  get log(): string {
    return this.#cast.platform.log;
  }

  async stop(): Promise<void> {
    const { receivers, correctionReceiver } = this.#cast;
    await Promise.all([...receivers, correctionReceiver].map((receiver) => receiver.stop()));
    await this.#cast.platform.dispose();
  }
}

/** A system that has been healed is quiet within this time. */
const QUIET_WITHIN_MS = 60_000;

/**
 * Waits until every consumer has finished every topic.
 * @throws Error naming one that has not in time
 */
export async function untilQuiet(stage: Pick<FaultStage, 'platform'>): Promise<void> {
  await withOutsider(stage, async (outsider) => {
    for (const [topic, readers] of Object.entries(readersOf)) {
      for (const reader of readers) await outsider.untilFinished(reader, topic, QUIET_WITHIN_MS);
    }
  });
}
