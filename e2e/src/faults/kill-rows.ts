import { killPoints, runKills } from '../kill/kill-run.ts';
import { type FaultRow, NOTHING_WRONG, type PlannedRow, rowOfKills } from './fault-row.ts';
import type { RunMark } from './run-mark.ts';

/** A kill point as a row: the platform in one process, killed there again and again under load. */
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
export async function runKillRow({ point, ...planned }: KillRow, kills: number, run: RunMark): Promise<FaultRow> {
  // Faults leave the variables of distributed mode behind.
  process.env['PARCELWAY_MODE'] = 'embedded';
  const report = await runKills({ kills, points: [point] });
  const passages = report.kills.filter(({ atPoint }) => atPoint).map(({ passage }) => passage);
  const where = point === 'random' ? '' : `, ${passages.length} of them at the point, at passage ${passages.join(', ')}`;
  return rowOfKills(planned, `${report.kills.length} kills${where}`, report, run);
}
