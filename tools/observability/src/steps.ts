import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePromtool } from './promtool.ts';
import { documentedQueries, type PlacedQuery, panelQueries } from './queries.ts';

const FOLDER = 'k8s/observability';

const filesIn = (root: string, folder: string, ending: string) =>
  readdirSync(join(root, folder))
    .filter((name: string) => name.endsWith(ending))
    .map((name: string) => `${folder}/${name}`);

/** Queries as recording rules: in that form promtool reads them, and names the one that is wrong. JSON is YAML. */
function asRules(queries: readonly PlacedQuery[]) {
  const rules = queries.map(({ where, expression }, index) => ({ record: `query:${index}`, expr: expression, labels: { where } }));
  return JSON.stringify({ groups: [{ name: 'queries', rules }] });
}

/**
 * The steps that check k8s/observability, and the queries in dashboards and documents. Gets promtool first.
 * @param options `rendered`: a folder for what is made on the way
 * @returns for runStep, in this order
 */
export async function observabilitySteps({
  root,
  kustomize,
  rendered,
}: {
  root: string;
  kustomize: string;
  rendered: string;
}): Promise<{ name: string; command: string[] }[]> {
  const promtool = await ensurePromtool(process.env);
  const queries = [...panelQueries(root), ...documentedQueries(root)];
  const queryFile = join(rendered, 'queries.yaml');
  writeFileSync(queryFile, asRules(queries));
  return [
    { name: 'kustomize builds observability', command: [kustomize, 'build', FOLDER, '--output', join(rendered, 'observability.yaml')] },
    { name: 'promtool reads the rules', command: [promtool, 'check', 'rules', ...filesIn(root, `${FOLDER}/rules`, '.yaml')] },
    { name: `promtool reads ${queries.length} queries of dashboards and documents`, command: [promtool, 'check', 'rules', queryFile] },
    { name: 'promtool tries the alerts', command: [promtool, 'test', 'rules', ...filesIn(root, `${FOLDER}/rules/tests`, '.test.yaml')] },
  ];
}
