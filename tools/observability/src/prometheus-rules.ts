import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
export function prometheusRules(contents: Map<string, string>) {
  const resources = [...contents].map(([file, text]) => wrapped(file, text));
  return `# Made by \`npm run observability\` from rules/*.yaml.\n${resources.join('---\n')}`;
}

/** The rule files of a checkout: name → text. */
export function ruleTexts(root: string) {
  return new Map(ruleFiles(root).map((name: string) => [name, readFileSync(join(root, 'k8s/observability/rules', name), 'utf8')]));
}
