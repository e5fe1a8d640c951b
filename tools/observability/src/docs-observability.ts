import type { MetricDescription } from '@parcelway/telemetry/metric-catalogue';
import { metricCatalogue } from '@parcelway/telemetry/metric-catalogue';
import { BURNS, budgetOf, objectives, ratioOf } from './objectives.ts';
import type { Rule } from './prometheus-rules.ts';
import { readRules, ruleTexts } from './prometheus-rules.ts';

/* The parts of the documentation on observability that are made: tools/docs/src/parts.ts puts them in. */

const code = (text: string) => `\`${text}\``;
const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`;

const metrics: readonly MetricDescription[] = metricCatalogue;

/** Every metric of the platform's own. @returns name, type, labels, meaning */
export function metricRows(): string[][] {
  return metrics.map(({ name, type, labels, help, buckets }) => [
    code(name),
    type,
    labels.map(code).join(', '),
    buckets === undefined ? help : `${help} Buckets: ${buckets.join(', ')}.`,
  ]);
}

/** The alerts of k8s/observability, each with its file. */
function alertsOf(root: string) {
  return [...ruleTexts(root)].flatMap(([file, text]) =>
    readRules(text)
      .filter(({ kind }) => kind === 'alert')
      .map((rule) => ({ ...rule, file })),
  );
}

/** Every alert with its severities. @returns link to its page, severities, file */
export function alertRows(root: string): string[][] {
  const byName = new Map<string, (Rule & { readonly file: string })[]>();
  for (const rule of alertsOf(root)) byName.set(rule.name, [...(byName.get(rule.name) ?? []), rule]);
  return [...byName].map(([name, rules]) => [
    `[${name}](${name}.md)`,
    [...new Set(rules.map(({ labels }) => labels.severity))].join(', '),
    code(`rules/${rules[0]?.file}`),
  ]);
}

/** Every objective. @returns title, what is good, target, budget */
export function objectiveRows(): string[][] {
  return objectives.map((objective) => [
    objective.title,
    objective.good,
    percent(objective.target),
    `${percent(budgetOf(objective))} of 30 days`,
    `[${objective.alert}](runbooks/${objective.alert}.md)`,
  ]);
}

/** The query of every objective: the share of bad events in 30 days, as it is recorded. */
export function objectiveQueries() {
  return objectives
    .map(
      (objective) =>
        `**${objective.title}**, recorded as ${code(`${objective.record}:ratio_rate30d`)}:\n\n\`\`\`promql\n${ratioOf(objective, '30d')}\n\`\`\``,
    )
    .join('\n\n');
}

/** When alerts fire on the burning of a budget. */
export function burnRows(): string[][] {
  return BURNS.map(({ factor, long, short, severity, gone }) => [
    String(factor),
    long,
    short,
    ...[0.999, 0.99].map((target) => percent(factor * (1 - target))),
    gone,
    severity,
  ]);
}
