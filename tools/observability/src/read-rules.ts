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
