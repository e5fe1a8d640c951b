import type { DistributedStage } from '../../distributed-stage.ts';
import type { Row } from '../../report/row.ts';
import type { BenchServers } from '../../servers.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { onCostRig } from './cost-rig.ts';
import { costTable } from './cost-table.ts';
import { measureFlow, measureRest } from './measure-costs.ts';

/** So long an installation is watched that nobody uses: its jobs come every minute at the latest. */
const REST_SECONDS = 60;

/**
 * What an operation costs over all processes and all servers together: a submission, a weighing through to its webhook, and an installation that
 * nobody uses. It gives a table, not rows: no reference does the same work.
 */
export async function costs(options: SuiteOptions, stage: DistributedStage, servers: BenchServers): Promise<readonly Row[]> {
  const { quick, measureMs } = options.scale;
  const seconds = quick ? 3 : (4 * measureMs) / 1000;
  await onCostRig(stage, servers, async (rig) => {
    options.progress('an installation that nobody uses');
    const idle = await measureRest(rig, quick ? 3 : REST_SECONDS);
    // What a service runs often is compiled in the course of the first thousands.
    options.progress('warming up');
    await measureFlow(rig, idle, 2 * seconds);
    options.table(costTable(idle, await inCycles(options, 'costs', () => measureFlow(rig, idle, seconds))));
  });
  return [];
}
