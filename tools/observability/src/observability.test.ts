import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { MetricDescription } from '@parcelway/telemetry/metric-catalogue';
import { metricCatalogue } from '@parcelway/telemetry/metric-catalogue';
import { createMetrics } from '@parcelway/telemetry/metrics';
import { OPERATOR_FILE, operatorRules, readRules, ruleTexts } from './prometheus-rules.ts';
import { namesIn } from './promql.ts';
import { documentedQueries, panelQueries } from './steps.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const rules = [...ruleTexts(root).values()].flatMap(readRules);
const alerts = rules.filter(({ kind }) => kind === 'alert');

/** Where runbooks are read by those who are woken. */
const RUNBOOKS = 'https://github.com/parcelway/parcelway/blob/main/docs/runbooks';

/** What Prometheus puts onto everything that it scrapes. */
const TARGET = ['namespace', 'job', 'instance', 'pod', 'container'];

/** What others than the platform say. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  ALERTS: ['alertname', 'alertstate'],
  kube_pod_container_resource_limits: ['resource'],
};

/** Every series that can be asked for, with its labels. */
async function knownSeries(): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>(Object.entries(OTHERS));
  const add = ({ name, type, labels }: Pick<MetricDescription, 'name' | 'labels'> & { readonly type: string }): void => {
    known.set(name, labels);
    if (type !== 'histogram' && type !== 'summary') return;
    for (const part of ['sum', 'count']) known.set(`${name}_${part}`, labels);
    if (type === 'histogram') known.set(`${name}_bucket`, [...labels, 'le']);
  };
  // Node's own, as they are really exposed; then those of the catalogue, with their labels.
  const { text } = await createMetrics('1.0.0').expose();
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) add({ name, type, labels: ['kind', 'type'] });
  for (const metric of metricCatalogue) add(metric);
  // A recording keeps the labels by which it groups, those of what it looks at, or none.
  for (const { kind, name, expr } of rules) {
    if (kind !== 'record') continue;
    const { series, grouping } = namesIn(expr);
    known.set(name, [...grouping, ...series.flatMap((each) => (each.name.startsWith('parcelway:') ? (known.get(each.name) ?? []) : []))]);
  }
  return known;
}

/** What is wrong with the names in an expression. */
function faultsOf(expression: string, known: ReadonlyMap<string, readonly string[]>): string[] {
  const { series, grouping } = namesIn(expression);
  const carried = new Set([...TARGET, ...series.flatMap(({ name }) => known.get(name) ?? [])]);
  return [
    ...series.filter(({ name }) => !known.has(name)).map(({ name }) => `there is no ${name}`),
    ...series.flatMap(({ name, labels }) => {
      const own = [...TARGET, ...(known.get(name) ?? labels)];
      return labels.filter((label) => !own.includes(label)).map((label) => `${name} has no label ${label}`);
    }),
    ...grouping.filter((label) => !carried.has(label)).map((label) => `nothing here has a label ${label}`),
  ];
}

describe('what is made', () => {
  test('the rules of the Prometheus operator are as `npm run observability` writes them', () => {
    expect(read(OPERATOR_FILE)).toBe(operatorRules(root));
  });

  test('every dashboard is given to Grafana, and no other file', () => {
    const kustomization = read('k8s/observability/kustomization.yaml');
    const given = [...kustomization.matchAll(/files: \[dashboards\/([a-z-]+)\.json\]/g)].map(([, name]) => name);
    expect(readdirSync(join(root, 'k8s/observability/dashboards')).sort()).toEqual(given.map((name) => `${name}.json`).sort());
  });
});

describe('names in queries', () => {
  test('of rules, panels and documents are those of metrics that there are', async () => {
    const known = await knownSeries();
    const queries = [
      ...rules.map(({ name, expr }) => ({ where: `rule ${name}`, expression: expr })),
      ...panelQueries(root),
      ...documentedQueries(root),
    ];
    expect(queries.length).toBeGreaterThan(200);
    expect(queries.flatMap(({ where, expression }) => faultsOf(expression, known).map((fault) => `${where}: ${fault}`))).toEqual([]);
  });

  test('that are wrong are noticed', async () => {
    const known = await knownSeries();
    expect(faultsOf('sum by (service_name) (rate(parcelway_outbox_published[5m]))', known)).toEqual([
      'there is no parcelway_outbox_published',
      'nothing here has a label service_name',
    ]);
    expect(faultsOf('parcelway_webhook_endpoints{status="open"}', known)).toEqual(['parcelway_webhook_endpoints has no label status']);
    expect(faultsOf('sum by (carrier) (parcelway_ready) or up{instance="a"}', known)).toEqual(['nothing here has a label carrier']);
    expect(faultsOf('rate(parcelway_tracking_poll_delay_seconds_bucket{le="5"}[5m]) + parcelway_ready_bucket', known)).toEqual([
      'there is no parcelway_ready_bucket',
    ]);
  });

  test('of the objectives in docs/slo.md are those that are recorded', () => {
    const recorded = rules.flatMap(({ name, expr }) => (name.endsWith(':ratio_rate30d') ? [expr] : []));
    const documented = [...read('docs/slo.md').matchAll(/^```promql\n([\s\S]*?)\n```$/gm)].map(([, query]) => query);
    expect(documented).toHaveLength(4);
    expect(documented).toEqual(recorded);
  });

  test('bounds of objectives are buckets of their histograms', () => {
    const bounds = rules.flatMap(({ expr }) => [...expr.matchAll(/(\w+)_bucket\{[^}]*\ble=~?"([\d.]+)/g)]);
    expect(bounds.length).toBeGreaterThan(20);
    for (const [, name = '', bound = ''] of bounds) {
      const metric: MetricDescription | undefined = metricCatalogue.find((each) => each.name === name);
      expect([name, metric?.buckets?.includes(Number(bound))]).toEqual([name, true]);
    }
  });
});

describe('alerts', () => {
  test('each says how urgent it is, what has happened, and where its page is', () => {
    expect(alerts.length).toBeGreaterThan(25);
    for (const { name, labels, annotations } of alerts) {
      expect([name, labels['severity']]).toEqual([name, expect.stringMatching(/^(critical|warning)$/)]);
      expect([name, annotations['runbook_url']]).toEqual([name, `${RUNBOOKS}/${name}.md`]);
      expect([name, annotations['summary']?.length]).toEqual([name, expect.any(Number)]);
      expect([name, annotations['description']]).toEqual([name, expect.stringMatching(/\.$/)]);
    }
  });

  test('what a text names is a label that the alert has', async () => {
    const known = await knownSeries();
    for (const { name, expr, annotations } of alerts) {
      const { series, grouping } = namesIn(expr);
      const labels = [...TARGET, ...grouping, ...series.flatMap((each) => known.get(each.name) ?? [])];
      const named = Object.values(annotations).flatMap((text) => [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label));
      expect([name, named.filter((label) => !labels.includes(label as string))]).toEqual([name, []]);
    }
  });

  test('every alert is tried by promtool', () => {
    const folder = 'k8s/observability/rules/tests';
    const tried = readdirSync(join(root, folder))
      .map((file) => read(`${folder}/${file}`))
      .join('\n');
    expect(alerts.map(({ name }) => name).filter((name) => !tried.includes(name))).toEqual([]);
  });

  test('tests of several groups say in which order they run: unsaid, it is another one each time', () => {
    const folder = 'k8s/observability/rules';
    for (const file of readdirSync(join(root, folder)).filter((name) => name.endsWith('.yaml'))) {
      const groups = [...read(`${folder}/${file}`).matchAll(/^ {2}- name: (\S+)$/gm)].map(([, name]) => name);
      if (groups.length < 2) continue;
      const order = `group_eval_order: [${groups.join(', ')}]`;
      const tests = readdirSync(join(root, folder, 'tests')).filter((name) => read(`${folder}/tests/${name}`).includes(`../${file}`));
      expect(tests).not.toEqual([]);
      for (const name of tests) expect(read(`${folder}/tests/${name}`)).toContain(order);
    }
  });
});
