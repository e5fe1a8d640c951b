import type { Mode } from './arguments.ts';
import type { Suite } from './suite.ts';
import { coldStart } from './suites/cold-start.ts';
import { costs } from './suites/costs.ts';
import { gateway } from './suites/gateway.ts';
import { growthIn } from './suites/growth/growth.ts';
import { importSuite } from './suites/import.ts';
import { memory } from './suites/memory.ts';
import { webhooks } from './suites/webhooks.ts';

/** Everything that is measured, by the name that `--only` takes, in the order of the report. Deliveries next to a peer: `webhooks/main.ts`. */
export const suites: Readonly<Record<Mode, Readonly<Record<string, Suite>>>> = {
  embedded: { start: coldStart, memory, costs, webhooks, gateway, import: importSuite, growth: growthIn('embedded') },
  distributed: { start: coldStart, memory, costs, webhooks, growth: growthIn('distributed') },
};

/** Those that run only when they are named: they take minutes. */
export const namedOnly: readonly string[] = ['costs', 'growth', 'import'];
