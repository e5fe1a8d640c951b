import { BURNS, type Burn, budgetOf, LEAST_BAD, type Objective, objectives, ratioOf, WINDOWS } from './objectives.ts';

/** Where runbooks are read by those who are woken; each page is named after its alert. */
const RUNBOOKS = 'https://github.com/parcelway/parcelway/blob/main/docs/runbooks';

/** Address of the page of an alert. */
export const runbookUrl = (alert: string) => `${RUNBOOKS}/${alert}.md`;

const SECONDS: Readonly<Record<string, number>> = { '1h': 3600, '6h': 21_600, '1d': 86_400, '3d': 259_200 };

/** Long windows change slowly and cost more to compute. */
const isLong = (window: string) => window.endsWith('d') || window === '6h';

const indented = (text: string, blanks: number) => text.replaceAll(/^(?=.)/gm, ' '.repeat(blanks));

const record = (name: string, expression: string) => `      - record: ${name}\n        expr: |-\n${indented(expression, 10)}\n`;

function recordings(objective: Objective, windows: readonly string[]) {
  return windows.map((window: string) => record(`${objective.record}:ratio_rate${window}`, ratioOf(objective, window))).join('');
}

/** How many events were bad in the long window of each alert. */
function increases(objective: Objective) {
  return BURNS.map(({ long }) => record(`${objective.record}:increase${long}`, `(${objective.bad(long)}) * ${SECONDS[long]}`)).join('');
}

function budgetLeft(objective: Objective) {
  return record(`${objective.record}:budget_left`, `1 - ${objective.record}:ratio_rate30d / ${budgetOf(objective)}`);
}

function alert(objective: Objective, { factor, long, short, severity, hold, gone }: Burn) {
  const limit = `${factor} * ${budgetOf(objective)}`;
  const expression = [
    `${objective.record}:ratio_rate${long} > ${limit}`,
    `and ${objective.record}:ratio_rate${short} > ${limit}`,
    `and ${objective.record}:increase${long} >= ${LEAST_BAD}`,
  ].join('\n');
  return `      - alert: ${objective.alert}
        expr: |-
${indented(expression, 10)}
        for: ${hold}
        labels:
          severity: ${severity}
          burn: "${factor}"
        annotations:
          summary: '${objective.summary}: {{ $value | humanizePercentage }} of the last ${long} in {{ $labels.namespace }}; ${(objective.target * 100).toFixed(1).replace('.0', '')} % are promised.'
          description: 'At this pace the error budget of 30 days is gone in about ${gone}.'
          runbook_url: ${runbookUrl(objective.alert)}
`;
}

const group = (name: string, interval: string, rules: string) => `  - name: ${name}\n    interval: ${interval}\n    rules:\n${rules}`;

/** The text of rules/slo.yaml: shares of bad events in all windows, what is left of the budgets, and the alerts on their burning. */
export function sloRules() {
  const all = (part: (objective: Objective) => string) => objectives.map(part).join('');
  const short = WINDOWS.filter((window) => !isLong(window));
  const long = WINDOWS.filter(isLong);
  return [
    '# Made by `npm run observability` from tools/observability/src/objectives.ts. What the objectives mean: docs/slo.md.\n',
    'groups:\n',
    group(
      'parcelway-slo-short-windows',
      '30s',
      all((each) => recordings(each, short)),
    ),
    group(
      'parcelway-slo-long-windows',
      '2m',
      all((each) => recordings(each, long) + increases(each) + budgetLeft(each)),
    ),
    group(
      'parcelway-slo-alerts',
      '30s',
      all((each) => BURNS.map((burn) => alert(each, burn)).join('')),
    ),
  ].join('');
}
