import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { type FailpointName, failpointNames } from '@parcelway/kernel/failpoint';
import { checkLedger, type LedgerReport } from '../ledger/check-ledger.ts';
import { Ledger } from '../ledger/ledger.ts';
import { putLoad } from '../ledger/load.ts';
import { Stage } from '../stage.ts';
import { type FaultReport, LOSSLESS, type Row } from './fault.ts';

/** One kill, for the report. */
export interface Kill {
  readonly point: FailpointName | 'random';
  /** Passage of the kill point at which the process was killed. */
  readonly passage: number;
  /** True when the kill point itself ended the process; false when SIGKILL came from outside because it was not reached. */
  readonly atPoint: boolean;
}

/** Deliveries that a kill cut off are tried again soon, so that the ledger is complete within its deadline. */
const RETRY_SCHEDULE = '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s';
/** After the load a kill point that was not reached is given this long; then the kill comes from outside. In the first round it has to be reached. */
const REACH_WITHIN_MS = { firstRound: 30_000, later: 1500 };
/**
 * The points that the load passes. The retention and the erasure delete what is checked afterwards, and imports are no part of the load: other tests kill
 * there (retention.test.ts, killed-erasure.test.ts, import-kills.test.ts).
 */
export const loadPoints = failpointNames.filter((point) => !/^(retention|import|erasure)\./.test(point));

/** Later rounds kill at later passages: each point is met early first, then in the thick of the load. */
function passageOf(index: number, round: number): number {
  return round === 0 ? 1 + (index % 3) : 1 + ((round * 7 + index) % 11);
}

async function oneKill(platform: PlatformProcess, ledger: Ledger, index: number, points: readonly Kill['point'][]): Promise<Kill> {
  const round = Math.floor(index / points.length);
  const point = points[index % points.length] as Kill['point'];
  const passage = passageOf(index, round);
  await platform.start(point === 'random' ? {} : { FAILPOINT: `${point}@${passage}:kill` }).catch((error: unknown) => {
    // A kill point on the way of a redelivery may end the process before it is ready: that is a kill like any other.
    if (platform.running || point === 'random') throw error;
  });
  if (!platform.running) return { point, passage, atPoint: true };
  await putLoad(platform, ledger, { workers: 8, parcels: 12, large: point === 'intake.before-items' ? 2 : 0 });
  const reachMs = round === 0 ? REACH_WITHIN_MS.firstRound : REACH_WITHIN_MS.later;
  const atPoint = await platform.ended(point === 'random' ? 1 : reachMs).then(
    () => true,
    () => false,
  );
  if (!atPoint) await platform.kill();
  return { point, passage, atPoint };
}

/** Points that ended the process in none of their turns: nothing was tested there. */
function unreached(kills: readonly Kill[]): string[] {
  const reached = new Set(kills.filter(({ atPoint }) => atPoint).map(({ point }) => point));
  return [...new Set(kills.map(({ point }) => point))]
    .filter((point) => point !== 'random' && !reached.has(point))
    .map((point) => `${point} was not reached`);
}

/** An object on disk ends with so many bytes of its key. */
const TRAILER_BYTES = 512;

/** How many different documents are stored on disk, those that a kill left without a record included. */
function storedDocuments(dataDirectory: string): number {
  const hashes = readdirSync(join(dataDirectory, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.includes('/objects'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
    .filter((bytes) => bytes.subarray(-TRAILER_BYTES).includes('"document/'))
    .map((bytes) => createHash('sha256').update(bytes.subarray(0, -TRAILER_BYTES)).digest('hex'));
  return new Set(hashes).size;
}

/**
 * Every forecast has documents, and there are no others: those of a version are the same bytes whenever they are made. A version that is corrected
 * before somebody opens it has none. That the latest ones open is checked with each parcel.
 */
export function documentViolations({ dataDirectory }: Pick<PlatformProcess, 'dataDirectory'>, { entries }: Ledger): string[] {
  const contents = storedDocuments(dataDirectory);
  const accepted = [...entries.values()].filter(({ forecastNo }) => forecastNo !== undefined);
  const versions = accepted.reduce((sum, { correctionsAcknowledged }) => sum + 1 + correctionsAcknowledged, 0);
  const isRight = contents >= accepted.length && contents <= versions;
  return isRight ? [] : [`${contents} different documents of ${accepted.length} forecasts in ${versions} versions`];
}

/** Kills a platform at points in turn, under load, on the same data; then lets it heal and checks the ledger. @param count of kills */
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
    const warehouse = platform.client(platform.quickstart.warehouse.api_key);
    const witnesses = { admin: platform.admin(), merchant: platform.client(), warehouse, receivers: [first, second], correctionReceiver };
    const report = await checkLedger(ledger, witnesses);
    return { ...report, kills, violations: [...report.violations, ...unreached(kills), ...documentViolations(platform, ledger)] };
  } finally {
    await stage.close();
  }
}

/** The platform in one process, killed at one point again and again under load. */
export interface KillRow extends Row {
  readonly point: Kill['point'];
}

/** A row for each kill point of embedded mode, and one for kills from outside. */
export const killRows: readonly KillRow[] = [...loadPoints, 'random' as const].map((point) => ({
  point,
  group: 'Kill points of embedded mode',
  name: point === 'random' ? 'SIGKILL from outside' : `SIGKILL at \`${point}\``,
  expected: LOSSLESS,
}));

/** Carries a row out. @param count of kills */
export async function runKillRow({ point, ...row }: KillRow, count: number): Promise<FaultReport> {
  // Faults leave the variables of distributed mode behind.
  process.env['PARCELWAY_MODE'] = 'embedded';
  const { kills, ...ledger } = await runKills([point], count);
  const passages = kills.filter(({ atPoint }) => atPoint).map(({ passage }) => passage);
  const where = point === 'random' ? '' : `, ${passages.length} of them at the point, at passage ${passages.join(', ')}`;
  return { ...row, ledger, observed: `${kills.length} kills${where}`, violations: ledger.violations };
}
