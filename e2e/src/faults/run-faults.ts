import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withOutsider } from '@parcelway/harness/kafka-outsider';
import { Merchant } from '@parcelway/harness/merchant';
import { Operator } from '@parcelway/harness/operator';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { WarehouseClerk } from '@parcelway/harness/warehouse';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { checkLedger, type LedgerReport } from '../ledger/check-ledger.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Load } from '../ledger/load.ts';
import type { Fault, FaultReport, FaultStage, Findings } from './fault.ts';
import { FaultServers } from './fault-servers.ts';

/** Interrupted deliveries are retried soon, so that the ledger is complete within its deadline. */
export const RETRY_SCHEDULE = '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s,10s,10s';
/** The load never reaches this limit, but every call counts against it. */
const RATE_LIMIT = { per_second: 10_000, burst: 10_000 };
const LOAD = { workers: 6, parcelsPerSecond: 12 };
/** The load runs this long before the fault, and after it has been healed. */
const CALM_MS = 2000;
/** Deadline for the parcels of the load after the fault. */
const FINISH_MS = 40_000;
/** Deadline for the hundreds of parcels that the probe leaves to the load. */
const PROBES_FINISH_MS = 180_000;
/** A system that has been healed has finished every message within this time. */
const QUIET_WITHIN_MS = 60_000;

/** What a fault works with besides the load, and an endpoint that only the ledger reads. */
interface Cast extends Omit<FaultStage, 'load' | 'ledger'> {
  readonly correctionReceiver: WebhookReceiver;
}

/** The actors on a platform, with new keys. */
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
  await merchant.createEndpoint({ url: receivers[0].url });
  const { endpoint_id: endpointId } = await merchant.createEndpoint({ url: receivers[1].url });
  await merchant.createEndpoint({ url: correctionReceiver.url, event_types: ['forecast.corrected'] });
  return { servers, platform, operator, merchant, clerk, receivers, endpointId, correctionReceiver };
}

/** The error of work that must succeed. */
const failureOf = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    (error: unknown) => [String(error)],
  );

/** The report on a ledger that could not be read: a finding about this fault, so that the others still run. */
function unreadLedger(ledger: Ledger, error: unknown): LedgerReport {
  return { ...ledger.totals, webhooks: 0, repeatedWebhooks: 0, violations: [`the ledger could not be read: ${error}`] };
}

/** Runs a fault under load and checks the ledger. */
async function carryOut({ strike, group, name, expected }: Fault, cast: Cast): Promise<FaultReport> {
  const { merchant, clerk, platform, receivers, correctionReceiver } = cast;
  // Late webhooks of an earlier fault do not belong to this one.
  for (const { received } of [...receivers, correctionReceiver]) received.length = 0;
  const ledger = new Ledger();
  const load = new Load({ merchant: merchant.client, warehouse: clerk.client, warehouseCode: clerk.code }, ledger, LOAD);
  await pause(CALM_MS);
  const { observed, violations } = await strike({ ...cast, ledger, load }).catch(
    (error: unknown): Findings => ({ observed: 'the fault could not be run', violations: [String(error)] }),
  );
  await pause(CALM_MS);
  const unfinished = await failureOf(load.finish(PROBES_FINISH_MS, FINISH_MS));
  // Pending work could have a second effect: read the ledger only when nothing is pending.
  const loud = await failureOf(withOutsider(cast, (outsider) => outsider.untilQuiet(QUIET_WITHIN_MS)));
  const witnesses = { admin: platform.admin(), merchant: merchant.client, warehouse: clerk.client, receivers, correctionReceiver };
  const checked = await checkLedger(ledger, witnesses).catch((error: unknown) => unreadLedger(ledger, error));
  const all = [...violations, ...load.internalErrors, ...unfinished, ...loud, ...checked.violations];
  return { group, name, expected, observed, ledger: checked, violations: all };
}

/** How faults are run. */
export interface RunOptions {
  onReport(report: FaultReport): void;
  say(text: string): void;
}

/** Writes what a platform has logged. @returns the file */
function writeLog(log: string): string {
  const file = join(tmpdir(), `parcelway-fault-${process.pid}-${Date.now()}.log`);
  writeFileSync(file, log, { mode: 0o600 });
  return file;
}

/** Runs faults that need the same servers and variables on one platform. */
async function runOn(servers: FaultServers, faults: readonly Fault[], { onReport, say }: RunOptions): Promise<void> {
  const [{ proxied, env } = {}] = faults as readonly Partial<Fault>[];
  Object.assign(process.env, { PARCELWAY_MODE: 'distributed', ...servers.platformEnv(proxied) });
  const settings = { WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE, LOG_LEVEL: 'error', ...env };
  const platform = await PlatformProcess.start({ env: settings });
  try {
    const cast = await castOf(servers, platform);
    for (const fault of faults) {
      const report = await carryOut(fault, cast);
      onReport(report);
      if (report.violations.length > 0) say(`        log: ${writeLog(platform.log)}`);
    }
    await Promise.all([...cast.receivers, cast.correctionReceiver].map((receiver) => receiver.stop()));
  } finally {
    await platform.dispose();
  }
}

/** Runs faults on new servers: first on single servers, then on clusters. */
export async function runFaults(faults: readonly Fault[], options: RunOptions): Promise<void> {
  for (const make of ['single', 'cluster'] as const) {
    const byPlatform = new Map<string, Fault[]>();
    for (const fault of faults.filter(({ servers }) => servers === make)) {
      const key = JSON.stringify([fault.proxied, fault.env]);
      byPlatform.set(key, [...(byPlatform.get(key) ?? []), fault]);
    }
    if (byPlatform.size === 0) continue;
    options.say(`servers: ${make}`);
    const servers = await FaultServers.up(make);
    try {
      for (const alike of byPlatform.values()) await runOn(servers, alike, options);
    } finally {
      await servers.down();
    }
  }
}
