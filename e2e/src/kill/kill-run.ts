import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { type FailpointName, failpointNames } from '@parcelway/kernel/failpoint';
import { Stage } from '../stage.ts';
import { checkLedger, type LedgerReport } from './check-ledger.ts';
import { documentContents } from './document-contents.ts';
import { Ledger } from './ledger.ts';
import { putLoad } from './load.ts';

/** One kill, for the report. */
export interface Kill {
  readonly point: FailpointName | 'random';
  /** Passage of the kill point at which the process was killed. */
  readonly passage: number;
  /** True when the kill point itself ended the process; false when SIGKILL came from outside because it was not reached. */
  readonly atPoint: boolean;
}

/** Outcome of a run. */
export interface KillReport extends LedgerReport {
  readonly kills: readonly Kill[];
}

/** What to run. */
export interface KillRunOptions {
  readonly kills: number;
  /** Default: {@link killPoints}. */
  readonly points?: readonly Kill['point'][];
  /** Called after each kill, for progress. */
  readonly onKill?: (kill: Kill, index: number) => void;
}

/** Deliveries that a kill cut off are tried again soon, so that the ledger is complete within its deadline. */
const RETRY_SCHEDULE = '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s';
/** After the load a kill point that was not reached is given this long; then the kill comes from outside. In the first round it has to be reached. */
const REACH_WITHIN_MS = { firstRound: 30_000, later: 1500 };
/**
 * The points that the load passes. The retention and the erasure delete what is checked afterwards, and imports have a ledger of their own: other tests kill
 * there.
 */
export const loadPoints = failpointNames.filter((point) => !/^(retention|import)\./.test(point) && point !== 'erasure.after-step');
/** Where a platform is killed, in turn; `random`: from outside, under load. */
export const killPoints = [...loadPoints, 'random'] as const;

function plan(index: number, points: readonly Kill['point'][]): { point: Kill['point']; passage: number } {
  // Later rounds kill at later passages: each point is met early first, then in the thick of the load.
  const round = Math.floor(index / points.length);
  const point = points[index % points.length] as Kill['point'];
  return { point, passage: round === 0 ? 1 + (index % 3) : 1 + ((round * 7 + index) % 11) };
}

async function oneKill(platform: PlatformProcess, ledger: Ledger, index: number, points: readonly Kill['point'][]): Promise<Kill> {
  const { point, passage } = plan(index, points);
  await platform.start(point === 'random' ? {} : { FAILPOINT: `${point}@${passage}:kill` }).catch((error: unknown) => {
    // A kill point on the way of a redelivery may end the process before it is ready: that is a kill like any other.
    if (platform.running || point === 'random') throw error;
  });
  let atPoint = !platform.running;
  if (platform.running) {
    await putLoad(platform, ledger, { workers: 8, parcels: 12, large: point === 'intake.before-items' ? 2 : 0 });
    const reachMs = index < points.length ? REACH_WITHIN_MS.firstRound : REACH_WITHIN_MS.later;
    atPoint = await platform.ended(point === 'random' ? 1 : reachMs).then(
      () => true,
      () => false,
    );
    if (!atPoint) await platform.kill();
  }
  return { point, passage, atPoint };
}

/** Points of the plan that ended the process in none of their turns: nothing was tested there. */
function unreached(kills: readonly Kill[]): string[] {
  const reached = new Set(kills.filter(({ atPoint }) => atPoint).map(({ point }) => point));
  return [...new Set(kills.map(({ point }) => point))]
    .filter((point) => point !== 'random' && !reached.has(point))
    .map((point) => `${point} was not reached`);
}

/**
 * Every forecast has documents, and there are no others: those of a version are the same bytes whenever they are made. A version that is
 * corrected before somebody opens it has none. That the latest ones open is checked with each parcel.
 */
function documentViolations({ dataDirectory }: PlatformProcess, { entries }: Ledger): string[] {
  const contents = documentContents(dataDirectory);
  const accepted = [...entries.values()].filter(({ forecastNo }) => forecastNo !== undefined);
  const versions = accepted.reduce((sum, { correctionsAcknowledged }) => sum + 1 + correctionsAcknowledged, 0);
  const isRight = contents >= accepted.length && contents <= versions;
  return isRight ? [] : [`${contents} different documents of ${accepted.length} forecasts in ${versions} versions`];
}

/**
 * Kills a platform again and again at its kill points, under load, on the same data; then lets it heal and checks the
 * ledger.
 */
export async function runKills(options: KillRunOptions): Promise<KillReport> {
  const ledger = new Ledger();
  const stage = await Stage.open({ WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE, RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
  const { platform } = stage;
  const kills: Kill[] = [];
  try {
    const receivers = [await stage.receiver(), await stage.receiver()];
    const correctionReceiver = await stage.receiver();
    const setup = platform.client();
    for (const { url } of receivers) await setup.expectOk('/open/v1/webhook-endpoints', { body: { url } });
    const named = { url: correctionReceiver.url, event_types: ['forecast.corrected'] };
    await setup.expectOk('/open/v1/webhook-endpoints', { body: named });
    await platform.kill();
    for (let index = 0; index < options.kills; index += 1) {
      const kill = await oneKill(platform, ledger, index, options.points ?? killPoints);
      kills.push(kill);
      options.onKill?.(kill, index);
    }
    await platform.start();
    await putLoad(platform, ledger, { workers: 8, parcels: 0 });
    const warehouse = platform.client(platform.quickstart.warehouse.api_key);
    const witnesses = { admin: platform.admin(), merchant: platform.client(), warehouse, receivers, correctionReceiver };
    const report = await checkLedger(ledger, witnesses);
    return { ...report, kills, violations: [...report.violations, ...unreached(kills), ...documentViolations(platform, ledger)] };
  } finally {
    await stage.close();
  }
}
