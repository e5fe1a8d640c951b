import { prometheusRules, ruleTexts } from './prometheus-rules.ts';
import { sloRules } from './slo-rules.ts';

const FOLDER = 'k8s/observability';
const SLO_FILE = 'slo.yaml';

/**
 * Every file of k8s/observability that is made: path from the root → text.
 * @param root of the checkout, whose hand-written rules are wrapped
 */
export function observabilityFiles(root: string): Map<string, string> {
  const slo = sloRules();
  const files: [string, string][] = [...ruleTexts(root), [SLO_FILE, slo]];
  const rules = new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
  return new Map([
    [`${FOLDER}/rules/${SLO_FILE}`, slo],
    [`${FOLDER}/prometheus-rules.yaml`, prometheusRules(rules)],
  ]);
}
