import { killPoints, runKills } from '../kill/kill-run.ts';
import { consumerFaults } from './consumer-faults.ts';
import { type Fault, type FaultReport, NOTHING_WRONG, type PlannedRow } from './fault.ts';
import { poisonFaults } from './poison-faults.ts';
import { processFaults, soak } from './process-faults.ts';
import { rebalanceFaults } from './rebalance-faults.ts';
import { serverFaults } from './server-faults.ts';
import { sourceFaults } from './source-faults.ts';
import { webhookFaults } from './webhook-faults.ts';

/* What breaks, and what must hold: one ledger judges every row. */

/** The rows of distributed mode. @param soakSeconds how long services are killed at random */
export function faultsOf(soakSeconds: number): readonly Fault[] {
  return [
    ...serverFaults,
    ...consumerFaults,
    ...rebalanceFaults,
    ...poisonFaults,
    ...sourceFaults,
    ...webhookFaults,
    ...processFaults,
    soak(soakSeconds),
  ];
}

/** The platform in one process, killed at one point again and again under load. */
export interface KillRow extends PlannedRow {
  readonly point: (typeof killPoints)[number];
}

/** A row for each kill point of embedded mode, and one for kills from outside. */
export const killRows: readonly KillRow[] = killPoints.map((point) => ({
  point,
  group: 'Kill points of embedded mode',
  name: point === 'random' ? 'SIGKILL from outside' : `SIGKILL at \`${point}\``,
  expected: NOTHING_WRONG,
}));

/** Kills a platform at one point, lets it heal, and has its ledger checked. @param kills how often */
export async function runKillRow({ point, ...fault }: KillRow, kills: number): Promise<FaultReport> {
  // Faults leave the variables of distributed mode behind.
  process.env['PARCELWAY_MODE'] = 'embedded';
  const { kills: done, violations, ...ledger } = await runKills({ kills, points: [point] });
  const passages = done.filter(({ atPoint }) => atPoint).map(({ passage }) => passage);
  const where = point === 'random' ? '' : `, ${passages.length} of them at the point, at passage ${passages.join(', ')}`;
  return {
    fault,
    ledger: { ...ledger, violations },
    observed: `${done.length} kills${where}`,
    failedRequests: null,
    quietAfterS: null,
    violations,
  };
}
