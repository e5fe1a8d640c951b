/** A rule of a rule file. */
export interface Rule {
  readonly kind: 'alert' | 'record';
  readonly name: string;
  expr: string;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
}

const unquoted = (text: string) => {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return text.startsWith('"') ? JSON.parse(text) : text;
};

/** Lines that say nothing of a rule itself. */
const AROUND = /^(#.*|groups:| {2}- name: .+| {4}interval: \w+| {4}rules:| {6}# .*| *)$/;
const BEGINNING = /^ {6}- (alert|record): (\S+)$/;
const FIELD = /^ {8}(\w+):(?: (.+))?$/;
const ENTRY = /^ {10}(\w+): (.+)$/;
const CONTINUED = /^ {10}/;

class Reader {
  readonly rules: Rule[] = [];
  field = '';

  take(line: string) {
    if (AROUND.test(line)) return true;
    const [, kind, name] = BEGINNING.exec(line) ?? [];
    if (name !== undefined) {
      this.rules.push({ kind: kind === 'alert' ? 'alert' : 'record', name, expr: '', labels: {}, annotations: {} });
      return true;
    }
    const rule = this.rules.at(-1);
    return rule !== undefined && (this.#takeField(rule, line) || this.#takeContent(rule, line));
  }

  #takeField(rule: Rule, line: string) {
    const [, field, value] = FIELD.exec(line) ?? [];
    if (field === undefined) return false;
    this.field = field;
    if (field === 'expr' && value !== '|-') rule.expr = unquoted(value ?? '');
    return ['expr', 'for', 'labels', 'annotations'].includes(field);
  }

  #takeContent(rule: Rule, line: string) {
    if (this.field === 'expr' && CONTINUED.test(line)) {
      rule.expr += `${rule.expr === '' ? '' : '\n'}${line.slice(10)}`;
      return true;
    }
    const [, key, value = ''] = ENTRY.exec(line) ?? [];
    if (key === undefined || !(this.field === 'labels' || this.field === 'annotations')) return false;
    rule[this.field][key] = unquoted(value);
    return true;
  }
}

/**
 * Reads a rule file in the form in which those of k8s/observability are written; promtool sees to it that they are YAML.
 * @returns in their order
 * @throws Error naming a line of another form: none is passed over
 */
export function readRules(text: string): Rule[] {
  const reader = new Reader();
  for (const [index, line] of text.split('\n').entries()) {
    if (!reader.take(line)) throw new Error(`line ${index + 1} is not of the form of a rule file: ${line}`);
  }
  return reader.rules;
}
