import type { DistributedStage } from './distributed-stage.ts';
import type { Row } from './report/row.ts';
import type { BenchServers } from './servers.ts';
import type { Suite, SuiteOptions } from './suite.ts';
import { coldStart } from './suites/cold-start.ts';
import { costs } from './suites/costs/costs.ts';
import { memory } from './suites/distributed/memory.ts';
import { replicas } from './suites/distributed/replicas.ts';
import { submissions } from './suites/distributed/submissions.ts';
import { webhooks } from './suites/distributed/webhooks.ts';
import { growthIn } from './suites/growth/growth.ts';
import { weighingOn } from './suites/weighing.ts';

/** Measures one thing on a platform that others have measured on before. */
export type StageSuite = (options: SuiteOptions, stage: DistributedStage, servers: BenchServers) => Promise<readonly Row[]>;

/** What a suite is, and how many seconds it may take before it begins no further cycle. */
interface Timed<S> {
  readonly run: S;
  readonly seconds: number;
}

/**
 * Measured on one platform, one after the other: its start takes longer than most of them. Memory comes first, because
 * at rest means that nothing has happened yet.
 */
export const stageSuites: Readonly<Record<string, Timed<StageSuite>>> = {
  memory: { run: memory, seconds: 40 },
  costs: { run: costs, seconds: 300 },
  submissions: { run: submissions, seconds: 70 },
  weighing: { run: weighingOn, seconds: 30 },
  webhooks: { run: webhooks, seconds: 100 },
};

/** Measured on platforms of their own. */
export const ownSuites: Readonly<Record<string, Timed<Suite>>> = {
  start: { run: coldStart, seconds: 50 },
  replicas: { run: replicas, seconds: 120 },
  growth: { run: growthIn('distributed'), seconds: 2_400 },
};

/** Those that run only when they are named: they take minutes. */
export const distributedNamedOnly: readonly string[] = ['costs', 'growth'];

/** Everything that is measured in distributed mode, by the name that `--only` takes, in the order of the report. */
export const distributedNames: readonly string[] = [...Object.keys(stageSuites), ...Object.keys(ownSuites)];
