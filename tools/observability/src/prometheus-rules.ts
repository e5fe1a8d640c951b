import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sloRules } from './slo-rules.ts';

/** A rule of a rule file. */
export interface Rule {
  readonly kind: 'alert' | 'record';
  readonly name: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A rule as the file states it: `alert` or `record` holds its name. */
interface RuleEntry extends Partial<Omit<Rule, 'kind' | 'name'>> {
  readonly alert?: string;
  readonly record?: string;
}

interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly RuleEntry[] }[];
}

function ruleOf({ alert, record, expr, labels = {}, annotations = {} }: RuleEntry): Rule {
  const name = alert ?? record;
  if (name === undefined || expr === undefined) throw new Error(`a rule needs a name and an expression: ${JSON.stringify({ name, expr })}`);
  return { kind: alert === undefined ? 'record' : 'alert', name, expr, labels, annotations };
}

/**
 * Reads a rule file of Prometheus.
 * @returns its rules, in their order
 * @throws YAMLParseError naming line and column when the text is not YAML; Error when a rule has no name or no expression
 */
export function readRules(text: string): Rule[] {
  return (parse(text) as RuleFile).groups.flatMap(({ rules }) => rules.map(ruleOf));
}

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

/** Names of the plain rule files, in order. */
function ruleFiles(root: string) {
  return readdirSync(join(root, 'k8s/observability/rules'))
    .filter((name: string) => name.endsWith('.yaml'))
    .sort();
}

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');

/** A plain rule file as a resource of the Prometheus operator: the same text, two blanks further in, so nothing can differ. */
function wrapped(file: string, text: string) {
  const name = `parcelway-${file.replace(/\.yaml$/, '')}`;
  const body = text.replaceAll(/^#.*\n/gm, '');
  return `apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: ${name}
  labels:
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/part-of: parcelway
spec:
${indented(body)}`;
}

/** The text of prometheus-rules.yaml: a PrometheusRule for each of the rule files in `contents`. */
function prometheusRules(contents: Map<string, string>) {
  const resources = [...contents].map(([file, text]) => wrapped(file, text));
  return `# Made by \`npm run observability\` from rules/*.yaml.\n${resources.join('---\n')}`;
}

/** The rule files of a checkout: name → text. */
export function ruleTexts(root: string) {
  return new Map(ruleFiles(root).map((name: string) => [name, readFileSync(join(root, 'k8s/observability/rules', name), 'utf8')]));
}
