import { messaging } from './dashboards/messaging.mjs';
import { overview } from './dashboards/overview.mjs';
import { processes } from './dashboards/processes.mjs';
import { tracking } from './dashboards/tracking.mjs';
import { webhooks } from './dashboards/webhooks.mjs';
import { prometheusRules, ruleTexts } from './prometheus-rules.mjs';
import { sloRules } from './slo-rules.mjs';

const FOLDER = 'k8s/observability';
const SLO_FILE = 'slo.yaml';

/** The dashboards, by the names of their files. */
export const dashboards = { messaging, overview, processes, tracking, webhooks };

/**
 * Every file of k8s/observability that is made: path from the root → text.
 * @param {string} root of the checkout, whose hand-written rules are wrapped
 * @returns {Map<string, string>}
 */
export function observabilityFiles(root) {
  const slo = sloRules();
  const rules = new Map([...ruleTexts(root), [SLO_FILE, slo]].sort(([a], [b]) => (a < b ? -1 : 1)));
  return new Map([
    [`${FOLDER}/rules/${SLO_FILE}`, slo],
    [`${FOLDER}/prometheus-rules.yaml`, prometheusRules(rules)],
    ...Object.entries(dashboards).map(([name, dashboard]) => [
      `${FOLDER}/dashboards/${name}.json`,
      `${JSON.stringify(dashboard, null, 1)}\n`,
    ]),
  ]);
}
