import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { samplePdf } from '@parcelway/harness/sample-data';
import { type FailpointName, failpointNames } from '@parcelway/kernel/failpoint';
import { until } from '@parcelway/kernel/testing/until';
import { checkLedger, type LedgerReport } from '../ledger/check-ledger.ts';
import { Ledger } from '../ledger/ledger.ts';
import { putLoad } from '../ledger/load.ts';
import { Stage } from '../stage.ts';
import { type FaultReport, LOSSLESS } from './fault.ts';

/** One kill, for the report. */
export interface Kill {
  readonly point: FailpointName | 'random';
  /** Passage of the kill point at which the process was killed. */
  readonly passage: number;
  /** True when the kill point itself ended the process; false when SIGKILL came from outside because it was not reached. */
  readonly atPoint: boolean;
}

/** Interrupted deliveries are retried soon, so that the ledger is complete within its deadline. */
const RETRY_SCHEDULE = '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s';
/** After the load a kill point that was not reached is given this long; then the kill comes from outside. In the first round it has to be reached. */
const REACH_WITHIN_MS = { firstRound: 30_000, later: 1500 };
/**
 * The points that the load passes. The retention and the erasure delete what is checked afterwards, and imports are no part of the load: other tests kill
 * there (retention.test.ts, killed-erasure.test.ts, import-kills.test.ts). Outboxes are of distributed mode.
 */
export const loadPoints = failpointNames.filter((point) => !/^(retention|import|erasure|outbox)\./.test(point));

/** Later rounds kill at later passages: each point is met early first, then in the thick of the load. */
function passageOf(index: number, round: number): number {
  return round === 0 ? 1 + (index % 3) : 1 + ((round * 7 + index) % 11);
}

async function oneKill(platform: PlatformProcess, ledger: Ledger, index: number, points: readonly Kill['point'][]): Promise<Kill> {
  const round = Math.floor(index / points.length);
  const point = points[index % points.length] as Kill['point'];
  const passage = passageOf(index, round);
  await platform.start(point === 'random' ? {} : { FAILPOINT: `${point}@${passage}:kill` }).catch((error: unknown) => {
    // A redelivery may reach the kill point before the process is ready: that is a kill like any other.
    if (!String(error).includes('ended before it was ready')) throw error;
  });
  if (platform.running) {
    await putLoad(platform, ledger, { workers: 8, parcels: 12, large: point === 'intake.before-items' ? 2 : 0 });
    const reachMs = round === 0 ? REACH_WITHIN_MS.firstRound : REACH_WITHIN_MS.later;
    await platform.ended(point === 'random' ? 1 : reachMs).catch(() => undefined);
  }
  const atPoint = !platform.running;
  if (atPoint && (point === 'random' || platform.signal !== 'SIGKILL'))
    throw new Error(
      `The platform ended by itself with ${platform.signal ?? platform.exitCode} and not at ${point}:\n${platform.log.slice(-2000)}`,
    );
  await platform.kill();
  return { point, passage, atPoint };
}

/** Points that never ended the process, and so were not tested. */
function unreached(kills: readonly Kill[]): string[] {
  const reached = new Set(kills.filter(({ atPoint }) => atPoint).map(({ point }) => point));
  return [...new Set(kills.map(({ point }) => point))]
    .filter((point) => point !== 'random' && !reached.has(point))
    .map((point) => `${point} was not reached`);
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Number of different documents on disk, including those that a kill left without a record: PDFs that nobody has uploaded. */
function storedDocuments(dataDirectory: string, { entries }: Ledger): number {
  const uploaded = new Set([...entries.keys()].map((poNumber) => hashOf(samplePdf(poNumber))));
  const contents = readdirSync(join(dataDirectory, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.includes('/objects'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
  const hashes = contents.filter((bytes) => bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))).map(hashOf);
  return new Set(hashes.filter((hash) => !uploaded.has(hash))).size;
}

/**
 * Every forecast has one document, and there are no others: a version is rendered when somebody opens it, which the load and the ledger check do with
 * the last one only, and always gives the same bytes.
 */
export function documentViolations({ dataDirectory }: Pick<PlatformProcess, 'dataDirectory'>, ledger: Ledger): string[] {
  const contents = storedDocuments(dataDirectory, ledger);
  const accepted = [...ledger.entries.values()].filter(({ forecastNo }) => forecastNo !== undefined).length;
  return contents === accepted ? [] : [`${contents} different documents of ${accepted} forecasts`];
}

/** Gauges of work that could still have an effect. */
const WAITING = /^parcelway_(?:outbox_messages|consumer_lag_messages|webhook_due_deliveries)\{.*\} (\S+)$/gm;
const QUIET_WITHIN_MS = 60_000;

/** Waits until nothing has waited in any queue twice in a row: a second effect that comes later would not be seen. */
async function untilQuiet(stage: Stage): Promise<void> {
  let quiet = 0;
  const look = async (): Promise<boolean> => {
    const waiting = [...(await stage.metrics()).matchAll(WAITING)].map(([, count]) => Number(count));
    quiet = waiting.length > 0 && waiting.every((count) => count === 0) ? quiet + 1 : 0;
    return quiet >= 2;
  };
  await until(look, { within: QUIET_WITHIN_MS, everyMs: 250, what: 'the queues to be empty' });
}

/**
 * Kills a platform at each point in turn, under load and on the same data. Then lets it recover and checks the ledger.
 * @param count number of kills
 * @throws Error when the platform ends other than by a kill, or its queues do not empty
 */
export async function runKills(
  points: readonly Kill['point'][],
  count: number,
): Promise<LedgerReport & { readonly kills: readonly Kill[] }> {
  const ledger = new Ledger();
  const stage = await Stage.open({ WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE, RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
  const { platform } = stage;
  const kills: Kill[] = [];
  try {
    const [first, second, correctionReceiver] = [await stage.receiver(), await stage.receiver(), await stage.receiver()];
    const bodies = [{ url: first.url }, { url: second.url }, { url: correctionReceiver.url, event_types: ['forecast.corrected'] }];
    for (const body of bodies) await platform.client().expectOk('/open/v1/webhook-endpoints', { body });
    await platform.kill();
    for (let index = 0; index < count; index += 1) kills.push(await oneKill(platform, ledger, index, points));
    await platform.start();
    await putLoad(platform, ledger, { workers: 8, parcels: 0 });
    await untilQuiet(stage);
    const warehouse = platform.client(platform.quickstart.warehouse.api_key);
    const witnesses = { admin: platform.admin(), merchant: platform.client(), warehouse, receivers: [first, second], correctionReceiver };
    const report = await checkLedger(ledger, witnesses);
    return { ...report, kills, violations: [...report.violations, ...unreached(kills), ...documentViolations(platform, ledger)] };
  } finally {
    await stage.close();
  }
}

const GROUP = 'Kill points of embedded mode';

/** What is killed at: the points of the load, and any moment. */
const allPoints: readonly Kill['point'][] = [...loadPoints, 'random'];

/** Kill points whose name matches, with the group in front as `--only` sees it. */
export const killPointsNamed = (isNamed: (name: string) => boolean): readonly Kill['point'][] =>
  allPoints.filter((point) => isNamed(`${GROUP}: ${point}`));

/** Kills a platform in one process at points again and again, under load. @param each number of kills at each point */
export async function runKillRow(points: readonly Kill['point'][], each: number): Promise<FaultReport> {
  // Faults leave the variables of distributed mode behind.
  process.env['PARCELWAY_MODE'] = 'embedded';
  const { kills, ...ledger } = await runKills(points, points.length * each).catch((error: unknown) => ({
    ...new Ledger().totals,
    webhooks: 0,
    repeatedWebhooks: 0,
    kills: [] as Kill[],
    violations: [String(error)],
  }));
  const observed = `${kills.length} kills, ${kills.filter(({ atPoint }) => atPoint).length} of them at the point`;
  return { group: GROUP, name: points.join(', '), expected: LOSSLESS, ledger, observed, violations: ledger.violations };
}
