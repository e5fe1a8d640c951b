import type { DistributedStage } from '../../distributed-stage.ts';
import type { Row } from '../../report/row.ts';
import type { BenchServers } from '../../servers.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { onCostRig } from './cost-rig.ts';
import { costTable } from './cost-table.ts';
import { measureCosts } from './measure-costs.ts';

/**
 * What an operation costs over all processes and all servers together: a submission, a weighing through to its webhook, and an installation that
 * nobody uses. It gives a table, not rows: no reference does the same work.
 */
export async function costs(options: SuiteOptions, stage: DistributedStage, servers: BenchServers): Promise<readonly Row[]> {
  await onCostRig(stage, servers, async (rig) => {
    options.progress('warming up');
    await measureCosts({ ...options, progress: () => undefined }, rig, 1);
    const seconds = options.scale.quick ? 3 : (4 * options.scale.measureMs) / 1000;
    const cycles = await inCycles(options, 'costs', () => measureCosts(options, rig, seconds));
    options.table(costTable(cycles));
  });
  return [];
}
