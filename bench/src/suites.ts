import type { Suite } from './suite.ts';
import { coldStart } from './suites/cold-start.ts';
import { gateway } from './suites/gateway.ts';
import { growthIn } from './suites/growth/growth.ts';
import { importSuite } from './suites/import.ts';
import { memory } from './suites/memory.ts';
import { submissions } from './suites/submissions.ts';
import { webhooks } from './suites/webhooks.ts';
import { weighing } from './suites/weighing.ts';

/** Everything that is measured, by the name that `--only` takes, in the order of the report. */
export const suites: Readonly<Record<string, Suite>> = {
  submissions,
  weighing,
  webhooks,
  start: coldStart,
  memory,
  gateway,
  import: importSuite,
  growth: growthIn('embedded'),
};

/** Those that run only when they are named: they take minutes. */
export const embeddedNamedOnly: readonly string[] = ['growth', 'import'];
