import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

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

/** The rule files of a checkout: name → text, in order. */
export function ruleTexts(root: string): ReadonlyMap<string, string> {
  const folder = join(root, FOLDER, 'rules');
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** A plain rule file as a resource of the Prometheus operator: the same text, two blanks further in, so nothing can differ. */
function wrapped(file: string, text: string): string {
  const name = `parcelway-${file.replace(/\.yaml$/, '')}`;
  const body = text.replaceAll(/^#.*\n/gm, '').replaceAll(/^(?=.)/gm, '  ');
  return `apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: ${name}
  labels:
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/part-of: parcelway
spec:
${body}`;
}

/** Path of the file with a PrometheusRule for each rule file. */
export const OPERATOR_FILE = `${FOLDER}/prometheus-rules.yaml`;

/** The text of that file. */
export function operatorRules(root: string): string {
  const resources = [...ruleTexts(root)].map(([file, text]) => wrapped(file, text));
  return `# Made by \`npm run observability\` from rules/*.yaml.\n${resources.join('---\n')}`;
}
