import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { KafkaOutsider } from '@parcelway/harness/kafka-outsider';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { quantile } from '../faults/probe.ts';
import { checkLedger, type LedgerReport } from '../ledger/check-ledger.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Cluster, thisVersion } from './cluster.ts';
import type { Deployment, Replacement, RolloutTiming } from './deployment.ts';
import type { Pod } from './pod.ts';
import { type RequestRecord, RolloutLoad } from './rollout-load.ts';

/** How a rolling restart is to be. */
export interface RolloutOptions {
  /** Services to restart; all run. */
  readonly services: readonly ServiceName[];
  readonly rounds: number;
  /** Directory of another version, built: its processes run first, and are replaced by those of this version; default this version. */
  readonly from?: string;
  /** In the end, processes of {@link from} come back. */
  readonly back?: boolean;
  readonly parcelsPerSecond: number;
  readonly timing: RolloutTiming;
  /** Receives the progress, a line each. */
  readonly say: (line: string) => void;
}

/** One process replaced by another, under load. */
export interface RolloutStep extends Replacement {
  readonly round: number;
  readonly service: ServiceName;
  /** Begun while the replacement went on. */
  readonly requests: number;
  readonly failures: readonly string[];
  /** Milliseconds. */
  readonly p99Ms: number;
}

/** Outcome of a rolling restart. */
export interface RolloutReport {
  readonly steps: readonly RolloutStep[];
  /** Over the whole run, also before, between and after the replacements. */
  readonly requests: number;
  readonly failures: readonly string[];
  /** Log of the processes when there are violations; null otherwise. */
  readonly logFile: string | null;
  readonly ledger: LedgerReport;
  /** Empty when no client noticed the restart. */
  readonly violations: readonly string[];
}

/** The load runs so long before the first replacement, and between two. */
const CALM_MS = 2000;
/** Every consumer has finished every topic so long after the load. */
const QUIET_WITHIN_MS = 60_000;
/** The order of an update, as docs/operations.md gives it ("Update under load, and back"). The way back has the reverse one. */
const UPDATE_ORDER: readonly ServiceName[] = ['gateway', 'forecast', 'tracking', 'file', 'warehouse-intake', 'webhook'];
/** They end the processes and remove what the servers hold of them, before they end the run. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const failuresOf = (records: readonly RequestRecord[]): string[] =>
  records.flatMap(({ what, failure }) => (failure === undefined ? [] : [`${what}: ${failure}`]));

/** All processes are replaced once. */
interface Round {
  readonly round: number;
  /** Directory of what the new ones run. */
  readonly version: string;
  /** Services in the order of their replacement. */
  readonly order: readonly ServiceName[];
}

function roundsOf({ services, rounds, from, back = false }: RolloutOptions): readonly Round[] {
  const order = UPDATE_ORDER.filter((service) => services.includes(service));
  const forward = Array.from({ length: rounds }, (_, index) => ({ round: index + 1, version: thisVersion, order }));
  return back && from !== undefined ? [...forward, { round: rounds + 1, version: from, order: order.toReversed() }] : forward;
}

/** Replaces one process while the load goes on, and some moments longer: what it has broken may show then. */
async function replace(deployment: Deployment, old: Pod, { records }: RolloutLoad, { round, version }: Round): Promise<RolloutStep> {
  const from = performance.now();
  const replaced = await deployment.replace(old, version);
  await pause(CALM_MS);
  const own = records.filter(({ at }) => at >= from);
  const p99Ms = quantile(
    own.map(({ ms }) => ms),
    0.99,
  );
  return { ...replaced, round, service: deployment.service, requests: own.length, failures: failuresOf(own), p99Ms };
}

function progressOf({ from, to, readyMs, end, requests, failures, p99Ms }: RolloutStep): string {
  const verdict = end.code === 0 && failures.length === 0 ? 'ok  ' : 'FAIL';
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const failed = failures.length === 0 ? '' : `, ${failures.length} FAILED: ${failures.slice(0, 3).join('; ')}`;
  return `${verdict}  ${from} → ${to}: ready after ${seconds(readyMs)}, drained in ${seconds(end.ms)} (exit ${end.code}), ${requests} requests, p99 ${p99Ms.toFixed(0)} ms${failed}`;
}

/** Replaces every process of the requested services, one after the other. */
async function replaceAll(cluster: Cluster, load: RolloutLoad, options: RolloutOptions): Promise<RolloutStep[]> {
  const { from, say } = options;
  const steps: RolloutStep[] = [];
  await pause(CALM_MS);
  if (from !== undefined) {
    await cluster.migrate(thisVersion);
    say('      the migrate step of this version is done');
  }
  for (const round of roundsOf(options)) {
    for (const service of round.order) {
      const deployment = cluster.deployments.find((one) => one.service === service) as Deployment;
      for (const old of deployment.pods) {
        const step = await replace(deployment, old, load, round);
        steps.push(step);
        say(progressOf(step));
      }
    }
  }
  return steps;
}

/** Writes down what the processes said, for the search for a cause. @returns the file */
function writeLog({ deployments }: Cluster): string {
  const file = join(tmpdir(), `parcelway-rollout-${process.pid}.log`);
  const pods = deployments.flatMap(({ allPods }) => allPods);
  writeFileSync(file, pods.map(({ name, log }) => `--- ${name}\n${log}`).join('\n'));
  return file;
}

async function runOn(
  cluster: Cluster,
  receivers: readonly WebhookReceiver[],
  outsider: KafkaOutsider,
  options: RolloutOptions,
): Promise<RolloutReport> {
  const keys = await cluster.issueKeys();
  const [merchant, warehouse] = [cluster.client(keys.merchant), cluster.client(keys.warehouse)];
  for (const { url } of receivers) await merchant.expectOk('/open/v1/webhook-endpoints', { body: { url } });
  const ledger = new Ledger();
  const merchantHeaders = cluster.headersOf(keys.merchant);
  const { warehouseCode } = keys;
  const { parcelsPerSecond } = options;
  const load = new RolloutLoad({ merchant, warehouse, warehouseCode, merchantHeaders, outsider, ledger, parcelsPerSecond });
  const steps = await replaceAll(cluster, load, options).finally(() => load.finish());
  options.say('      the load has ended; reading the ledger');
  const loud = await outsider.untilQuiet(QUIET_WITHIN_MS).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  const checked = await checkLedger(ledger, { admin: cluster.admin(), merchant, warehouse, receivers });
  const failures = failuresOf(load.records);
  const gone = cluster.deployments.flatMap(({ pods }) => pods).filter((pod) => !pod.running);
  const violations = [
    ...failures.map((failure) => `failed request: ${failure}`),
    ...steps.filter(({ end }) => end.code !== 0).map(({ from, end }) => `${from} ended with ${end.code}`),
    ...gone.map(({ name }) => `${name} ended by itself`),
    ...loud,
    ...checked.violations,
  ];
  return {
    steps,
    requests: load.records.length,
    failures,
    logFile: violations.length === 0 ? null : writeLog(cluster),
    ledger: checked,
    violations,
  };
}

/**
 * Starts two processes of every service on the servers that the environment names, restarts those of the services asked for, one after
 * the other, under load, and judges.
 */
export async function rollOut(options: RolloutOptions): Promise<RolloutReport> {
  const cluster = await Cluster.start(options.timing, options.from ?? thisVersion);
  options.say(`      ${cluster.deployments.length} services run, two processes of each`);
  let badEnds: readonly string[] = [];
  const onInterrupt = (): void => void cluster.stop().finally(() => process.exit(130));
  for (const signal of STOP_SIGNALS) process.once(signal, onInterrupt);
  const run = async (): Promise<RolloutReport> => {
    const receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    const outsider = await KafkaOutsider.connect(cluster.servers);
    try {
      return await runOn(cluster, receivers, outsider, options);
    } finally {
      await Promise.all([outsider.close(), ...receivers.map((receiver) => receiver.stop())]);
    }
  };
  const report = await run().finally(async () => {
    for (const signal of STOP_SIGNALS) process.off(signal, onInterrupt);
    badEnds = await cluster.stop();
  });
  return { ...report, violations: [...report.violations, ...badEnds] };
}
