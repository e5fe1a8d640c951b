import type { DistributedStage } from './distributed-stage.ts';
import type { Row } from './report/row.ts';
import type { BenchServers } from './servers.ts';
import type { Suite, SuiteOptions } from './suite.ts';
import { capacity } from './suites/capacity/capacity.ts';
import { coldStart } from './suites/cold-start.ts';
import { costs } from './suites/costs/costs.ts';
import { replicaCosts } from './suites/costs/replica-costs.ts';
import { consumerThroughput } from './suites/distributed/consumers.ts';
import { memory } from './suites/distributed/memory.ts';
import { outage } from './suites/distributed/outage.ts';
import { rateLimits } from './suites/distributed/rate-limits.ts';
import { replicas } from './suites/distributed/replicas.ts';
import { submissions } from './suites/distributed/submissions.ts';
import { uploads } from './suites/distributed/uploads.ts';
import { webhooks } from './suites/distributed/webhooks.ts';
import { fairnessOn } from './suites/fairness/fairness.ts';
import { growthIn } from './suites/growth/growth.ts';
import { labelsIn } from './suites/labels.ts';
import { lookupIn } from './suites/lookup.ts';
import { pushCosts } from './suites/scale-model/push-costs.ts';
import { trackingInMongo } from './suites/tracking.ts';
import { viewListIn } from './suites/view-list.ts';
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
 * at rest means that nothing has happened yet, and the broker is stopped last.
 */
export const stageSuites: Readonly<Record<string, Timed<StageSuite>>> = {
  memory: { run: memory, seconds: 40 },
  costs: { run: costs, seconds: 300 },
  submissions: { run: submissions, seconds: 70 },
  weighing: { run: weighingOn, seconds: 30 },
  uploads: { run: uploads, seconds: 40 },
  webhooks: { run: webhooks, seconds: 100 },
  consumers: { run: consumerThroughput, seconds: 60 },
  'rate-limits': { run: rateLimits, seconds: 100 },
  fairness: { run: fairnessOn, seconds: 200 },
  outage: { run: outage, seconds: 60 },
};

/** Measured on platforms of their own. */
export const ownSuites: Readonly<Record<string, Timed<Suite>>> = {
  start: { run: coldStart, seconds: 50 },
  replicas: { run: replicas, seconds: 120 },
  'replica-costs': { run: replicaCosts, seconds: 300 },
  capacity: { run: capacity, seconds: 130 },
  labels: { run: labelsIn('distributed'), seconds: 240 },
  lookup: { run: lookupIn('distributed'), seconds: 240 },
  'view-list': { run: viewListIn('distributed'), seconds: 240 },
  tracking: { run: trackingInMongo, seconds: 240 },
  'push-costs': { run: pushCosts, seconds: 150 },
  growth: { run: growthIn('distributed'), seconds: 2_400 },
};

/** Those that run only when they are named: docs/capacity.md is that of the first, and the others have pages of their own or take minutes. */
export const distributedNamedOnly: readonly string[] = [
  'capacity',
  'costs',
  'fairness',
  'growth',
  'labels',
  'lookup',
  'push-costs',
  'rate-limits',
  'replica-costs',
  'tracking',
  'view-list',
];

/** Everything that is measured in distributed mode, by the name that `--only` takes, in the order of the report. */
export const distributedNames: readonly string[] = [...Object.keys(stageSuites), ...Object.keys(ownSuites)];
