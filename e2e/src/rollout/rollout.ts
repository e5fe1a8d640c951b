import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { KafkaOutsider } from '../distributed/kafka-outsider.ts';
import { readersOf } from '../faults/consumer-faults.ts';
import { quantile } from '../faults/latency.ts';
import { checkLedger } from '../kill/check-ledger.ts';
import { Ledger } from '../kill/ledger.ts';
import { Cluster, thisVersion } from './cluster.ts';
import type { Deployment } from './deployment.ts';
import { isRetry, type LoggedLine, linesOf, summaryOf } from './platform-log.ts';
import type { Pod } from './pod.ts';
import type { RequestRecord } from './request-log.ts';
import { RolloutLoad } from './rollout-load.ts';
import type { RolloutOptions, RolloutReport, RolloutStep } from './rollout-report.ts';

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

const logOf = ({ deployments }: Cluster): LoggedLine[] => deployments.flatMap(({ allPods }) => allPods).flatMap(linesOf);

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
async function replace(
  deployment: Deployment,
  old: Pod,
  cluster: Cluster,
  load: RolloutLoad,
  { round, version }: Round,
): Promise<RolloutStep> {
  const from = performance.now();
  const fromClock = Date.now();
  const replaced = await deployment.replace(old, version);
  await pause(CALM_MS);
  const records = load.log.between(from, performance.now());
  const times = records.map(({ ms }) => ms);
  return {
    ...replaced,
    round,
    service: deployment.service,
    requests: records.length,
    failures: failuresOf(records),
    p99Ms: quantile(times, 0.99),
    slowestMs: Math.max(0, ...times),
    retries: logOf(cluster).filter((line) => line.at >= fromClock && isRetry(line)).length,
  };
}

function progressOf({ from, to, readyMs, end, requests, failures, p99Ms }: RolloutStep): string {
  const verdict = end.code === 0 && failures.length === 0 ? 'ok  ' : 'FAIL';
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const failed = failures.length === 0 ? '' : `, ${failures.length} FAILED: ${failures.slice(0, 3).join('; ')}`;
  return `${verdict}  ${from} → ${to}: ready after ${seconds(readyMs)}, drained in ${seconds(end.ms)} (exit ${end.code}), ${requests} requests, p99 ${p99Ms.toFixed(0)} ms${failed}`;
}

/** Replaces every process of the services asked for, one after the other. */
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
      const deployment = cluster.deploymentOf(service);
      for (const old of deployment.pods) {
        const step = await replace(deployment, old, cluster, load, round);
        steps.push(step);
        say(progressOf(step));
      }
    }
  }
  return steps;
}

/** What nobody may notice, and what was noticed. */
function violationsOf(steps: readonly RolloutStep[], failures: readonly string[], cluster: Cluster): string[] {
  const badEnds = steps.filter(({ end }) => end.code !== 0).map(({ from, end }) => `${from} ended with ${end.code}`);
  const gone = cluster.deployments.flatMap(({ pods }) => pods).filter((pod) => !pod.running);
  return [...failures.map((failure) => `failed request: ${failure}`), ...badEnds, ...gone.map(({ name }) => `${name} ended by itself`)];
}

/** Writes down what the processes said, for the search for a cause. @returns the file */
function writeLog({ deployments }: Cluster): string {
  const file = join(tmpdir(), `parcelway-rollout-${process.pid}.log`);
  const pods = deployments.flatMap(({ allPods }) => allPods);
  writeFileSync(file, pods.map(({ name, log }) => `--- ${name}\n${log}`).join('\n'));
  return file;
}

const asViolations = (error: unknown): string[] => [String(error)];
const nothing = (): string[] => [];

/** Waits until every consumer has finished every topic. @throws Error naming one that has not in time */
async function untilQuiet(outsider: KafkaOutsider): Promise<void> {
  for (const [topic, readers] of Object.entries(readersOf)) {
    for (const reader of readers) await outsider.untilFinished(reader, topic, QUIET_WITHIN_MS);
  }
}

async function runOn(
  cluster: Cluster,
  receivers: readonly WebhookReceiver[],
  outsider: KafkaOutsider,
  options: RolloutOptions,
): Promise<RolloutReport> {
  const { say, ...asked } = options;
  const keys = await cluster.issueKeys();
  const merchant = cluster.client(keys.merchant);
  for (const { url } of receivers) await merchant.expectOk('/open/v1/webhook-endpoints', { body: { url } });
  const ledger = new Ledger();
  const warehouse = cluster.client(keys.warehouse);
  const load = new RolloutLoad({
    merchant,
    warehouse,
    warehouseCode: keys.warehouseCode,
    merchantHeaders: cluster.headersOf(keys.merchant),
    outsider,
    ledger,
    parcelsPerSecond: options.parcelsPerSecond,
  });
  const steps = await replaceAll(cluster, load, options).finally(() => load.finish());
  say('      the load has ended; reading the ledger');
  const loud = await untilQuiet(outsider).then(nothing, asViolations);
  // Before the ledger is read, which asks the platform, too.
  const { records } = load.log;
  const failures = failuresOf(records);
  const checked = await checkLedger(ledger, { admin: cluster.admin(), merchant, warehouse, receivers });
  const violations = [...violationsOf(steps, failures, cluster), ...loud, ...checked.violations];
  const requestsByKind: Record<string, number> = {};
  for (const { what } of records) requestsByKind[what] = (requestsByKind[what] ?? 0) + 1;
  return {
    options: asked,
    steps,
    requests: records.length,
    requestsByKind,
    failures,
    refusedConnections: cluster.refusedConnections,
    logged: summaryOf(logOf(cluster)),
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
