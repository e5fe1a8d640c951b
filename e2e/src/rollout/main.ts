import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { KafkaOutsider } from '@parcelway/harness/kafka-outsider';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { checkLedger } from '../ledger/check-ledger.ts';
import { Ledger } from '../ledger/ledger.ts';
import { builtVersion, Cluster, thisVersion } from './cluster.ts';
import type { Deployment } from './deployment.ts';
import { RolloutLoad } from './rollout-load.ts';

/*
 * npm run test:rollout -- [--from DIRECTORY [--back]]: restarts two processes of every service twice under load, one after the other, as Kubernetes
 * does, and fails when anybody notices. With --from, a checkout of another version runs first, built with `npm ci && npm run build`, and is replaced
 * by this one; with --back it comes back in a last round. Takes the servers that the environment names; else those of `npm run servers`.
 */

const ROUNDS = 2;
/** Parcels, and reads. */
const PER_SECOND = 12;
/** The load runs so long before the first replacement, and between two. */
const CALM_MS = 2000;
/** Every consumer has finished every topic so long after the load. */
const QUIET_WITHIN_MS = 60_000;
/** The order of an update, as docs/operations.md gives it ("Update under load, and back"). The way back has the reverse one. */
const UPDATE_ORDER: readonly ServiceName[] = ['gateway', 'forecast', 'tracking', 'file', 'warehouse-intake', 'webhook'];

/** Outcome of a rolling restart. */
interface Report {
  readonly summary: string;
  /** Empty when no client noticed the restart. */
  readonly violations: readonly string[];
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Replaces the processes of a deployment under load. The load continues for a while afterwards, because errors can appear late. @returns violations */
async function replace(cluster: Cluster, deployment: Deployment, load: RolloutLoad, version: string): Promise<string[]> {
  const violations: string[] = [];
  for (const old of deployment.pods) {
    const failedBefore = load.failures.length;
    const { fresh, end } = await cluster.replace(deployment, old, version);
    await pause(CALM_MS);
    const failed = load.failures.length - failedBefore;
    say(`${end === 0 && failed === 0 ? 'ok  ' : 'FAIL'}  ${old.name} → ${fresh.name}: exit ${end}, ${failed} failed requests`);
    if (end !== 0) violations.push(`${old.name} ended with ${end}`);
  }
  return violations;
}

/** Replaces every process, one after the other. @param from the version that runs before @returns violations */
async function replaceAll(cluster: Cluster, load: RolloutLoad, from: string | undefined, back: boolean): Promise<string[]> {
  await pause(CALM_MS);
  if (from !== undefined) await cluster.migrate(thisVersion);
  const rounds = Array.from({ length: ROUNDS }, () => ({ version: thisVersion, order: UPDATE_ORDER }));
  if (back && from !== undefined) rounds.push({ version: from, order: UPDATE_ORDER.toReversed() });
  const violations: string[] = [];
  for (const { version, order } of rounds)
    for (const service of order) {
      const deployment = cluster.deployments.find((one) => one.service === service) as Deployment;
      violations.push(...(await replace(cluster, deployment, load, version)));
    }
  return violations;
}

/** Rolls the processes over under load, and judges. */
async function rollOut(cluster: Cluster, from: string | undefined, back: boolean): Promise<Report> {
  const receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
  const outsider = await KafkaOutsider.connect(cluster.servers);
  try {
    const keys = await cluster.issueKeys();
    const { client: merchant, headers: merchantHeaders } = cluster.withKey(keys.merchant);
    const { client: warehouse } = cluster.withKey(keys.warehouse);
    for (const { url } of receivers) await merchant.expectOk('/open/v1/webhook-endpoints', { body: { url } });
    const ledger = new Ledger();
    const { warehouseCode } = keys;
    const load = new RolloutLoad({ merchant, warehouse, warehouseCode, merchantHeaders, outsider, ledger, perSecond: PER_SECOND });
    const bad = await replaceAll(cluster, load, from, back).finally(() => load.finish());
    say('      the load has ended; reading the ledger');
    const loud = await outsider.untilQuiet(QUIET_WITHIN_MS).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    const checked = await checkLedger(ledger, { admin: cluster.admin(), merchant, warehouse, receivers });
    const gone = cluster.deployments.flatMap(({ pods }) => pods).filter((pod) => !pod.program.running);
    return {
      summary:
        `${load.reads} reads, ${load.failures.length} requests failed; ${checked.forecasts} forecasts and ${checked.weighings} weighings acknowledged, ` +
        `${checked.webhooks} webhooks received, ${checked.repeatedWebhooks} of them repeats`,
      violations: [
        ...load.failures.map((failure) => `failed request: ${failure}`),
        ...bad,
        ...gone.map(({ name }) => `${name} ended by itself`),
        ...loud,
        ...checked.violations,
      ],
    };
  } finally {
    await Promise.all([outsider.close(), ...receivers.map((receiver) => receiver.stop())]);
  }
}

/** Writes down what the processes said, for the search for a cause. */
function writeLog({ deployments }: Cluster): void {
  const file = join(tmpdir(), `parcelway-rollout-${process.pid}.log`);
  const pods = deployments.flatMap(({ allPods }) => allPods);
  writeFileSync(file, pods.map(({ name, program }) => `--- ${name}\n${program.stderr}`).join('\n'));
  say(`      what the processes logged: ${file}`);
}

/** @returns the exit code */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { from: { type: 'string' }, back: { type: 'boolean', default: false } } });
  if (values.back && values.from === undefined) throw new Error('--back goes with --from, the version that comes back');
  const from = values.from === undefined ? undefined : builtVersion(values.from, '--from');
  const cluster = await Cluster.start(from ?? thisVersion);
  // It ends the processes and removes what the servers hold of them, before it ends the run.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void cluster.stop().finally(() => process.exit(130)));
  let badEnds: readonly string[] = [];
  const { summary, violations } = await rollOut(cluster, from, values.back).finally(async () => {
    badEnds = await cluster.stop();
  });
  const all = [...violations, ...badEnds];
  for (const violation of all.slice(0, 20)) say(`FAIL  ${violation}`);
  if (all.length > 0) writeLog(cluster);
  say(`\n${summary}; ${all.length === 0 ? 'nothing lost, nothing doubled' : `${all.length} violations`}.`);
  return all.length === 0 ? 0 : 1;
}

const code = await main().catch((error: Error) => {
  process.stderr.write(`The run was not finished: ${error.message}\n`);
  return 1;
});
// Node has been seen to spin at its own end, over the pipes of so many children. What was written is out by then.
process.stdout.write('', () => process.exit(code));
