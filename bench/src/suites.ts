import type { Suite } from './suite.ts';
import { coldStart } from './suites/cold-start.ts';
import { fairness } from './suites/fairness/fairness.ts';
import { gateway } from './suites/gateway.ts';
import { growthIn } from './suites/growth/growth.ts';
import { hostileBodies } from './suites/hostile-bodies.ts';
import { importSuite } from './suites/import.ts';
import { labelsIn } from './suites/labels.ts';
import { lookupIn } from './suites/lookup.ts';
import { memory } from './suites/memory.ts';
import { reports } from './suites/reports.ts';
import { scaleModelSuite } from './suites/scale-model/scale-model.ts';
import { stalled } from './suites/stalled.ts';
import { submissions } from './suites/submissions.ts';
import { takenNumber } from './suites/taken-number.ts';
import { tracking } from './suites/tracking.ts';
import { uploads } from './suites/uploads.ts';
import { viewListIn } from './suites/view-list.ts';
import { webhooks } from './suites/webhooks.ts';
import { weighing } from './suites/weighing.ts';

/** Everything that is measured, by the name that `--only` takes, in the order of the report. */
export const suites: Readonly<Record<string, Suite>> = {
  submissions,
  'taken-number': takenNumber,
  weighing,
  reports,
  uploads,
  webhooks,
  labels: labelsIn('embedded'),
  lookup: lookupIn('embedded'),
  'view-list': viewListIn('embedded'),
  start: coldStart,
  memory,
  gateway,
  stalled,
  'hostile-bodies': hostileBodies,
  import: importSuite,
  tracking,
  fairness,
  growth: growthIn('embedded'),
  'scale-model': scaleModelSuite,
};

/** Those that run only when they are named: what they give is no figure of speed, or they take minutes. */
export const embeddedNamedOnly: readonly string[] = [
  'fairness',
  'growth',
  'hostile-bodies',
  'import',
  'lookup',
  'scale-model',
  'tracking',
  'view-list',
];
