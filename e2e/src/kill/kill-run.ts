import { PlatformProcess } from '@parcelway/harness/platform-process';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { type FailpointName, failpointNames } from '@parcelway/kernel/failpoint';
import { checkLedger, Ledger, type LedgerReport } from './ledger.ts';
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
  /** Called after each kill, for progress. */
  readonly onKill?: (kill: Kill, index: number) => void;
}

/** Deliveries that a kill cut off are tried again soon, so that the ledger is complete within its deadline. */
const RETRY_SCHEDULE = '0s,200ms,500ms,1s,1s,2s,2s,5s,5s,5s';
/** After the load a kill point that was not reached is given this long; then the kill comes from outside. */
const REACH_WITHIN_MS = 1500;

function plan(index: number): { point: Kill['point']; passage: number } {
  const points = [...failpointNames, 'random'] as const;
  // Later rounds kill at later passages: each point is met early first, then in the thick of the load.
  const round = Math.floor(index / points.length);
  return { point: points[index % points.length] as Kill['point'], passage: round === 0 ? 1 + (index % 3) : 1 + ((round * 7 + index) % 11) };
}

async function oneKill(platform: PlatformProcess, ledger: Ledger, index: number): Promise<Kill> {
  const { point, passage } = plan(index);
  await platform.start(point === 'random' ? {} : { FAILPOINT: `${point}@${passage}:kill` }).catch((error: unknown) => {
    // A kill point on the way of a redelivery may end the process before it is ready: that is a kill like any other.
    if (platform.running || point === 'random') throw error;
  });
  let atPoint = !platform.running;
  if (platform.running) {
    await putLoad(platform, ledger, { workers: 8, parcels: 12 });
    atPoint = await platform.ended(point === 'random' ? 1 : REACH_WITHIN_MS).then(
      () => true,
      () => false,
    );
    if (!atPoint) await platform.kill();
  }
  return { point, passage, atPoint };
}

/**
 * Kills a platform again and again at its kill points, under load, on the same data; then lets it heal and checks the
 * ledger.
 */
export async function runKills(options: KillRunOptions): Promise<KillReport> {
  const ledger = new Ledger();
  const receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
  const platform = await PlatformProcess.start({ env: { WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE, RATE_LIMITS: 'off', LOG_LEVEL: 'error' } });
  const kills: Kill[] = [];
  try {
    const setup = platform.client();
    for (const receiver of receivers) await setup.expectOk('/open/v1/webhook-endpoints', { body: { url: receiver.url } });
    await platform.kill();
    for (let index = 0; index < options.kills; index += 1) {
      const kill = await oneKill(platform, ledger, index);
      kills.push(kill);
      options.onKill?.(kill, index);
    }
    await platform.start();
    await putLoad(platform, ledger, { workers: 8, parcels: 0 });
    return { ...(await checkLedger(ledger, platform, receivers, platform.client())), kills };
  } finally {
    await platform.dispose();
    for (const receiver of receivers) await receiver.stop();
  }
}
