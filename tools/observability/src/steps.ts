import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Artifact, debianProgram, ensureArtifact, toolsCache, unpackDebian } from '@parcelway/tools-servers/artifact';
import { runCommand } from '@parcelway/tools-servers/run-command';

/** What Grafana puts in for its variables, for whoever only reads the queries. */
const filledIn = (expression: string) =>
  expression.replaceAll('$namespace', '.*').replaceAll('$__rate_interval', '5m').replaceAll('$__range', '6h');

/** A query and where it is. */
export interface PlacedQuery {
  readonly where: string;
  readonly expression: string;
}

/** A dashboard of Grafana, as far as it is looked at. */
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

/** The queries of the panels. @param root of the checkout @returns with Grafana's variables filled in */
export function panelQueries(root: string): PlacedQuery[] {
  const folder = join(root, 'k8s/observability/dashboards');
  return readdirSync(folder).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Dashboard;
    return panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ where: `dashboard ${file}, panel "${title}"`, expression: filledIn(expr) })),
    );
  });
}

/** The blocks of PromQL in a document, one query a block, or one a line where each line is a query. */
function queriesIn(markdown: string) {
  const blocks = [...markdown.matchAll(/^```promql\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trimEnd());
  // A query that goes on in the next line is indented there, or begins it with an operator or a bracket.
  return blocks.flatMap((block) => block.split(/(?<![/(,])\n(?![\s/)]|or |and |unless )/));
}

/** The queries in docs/. @param root of the checkout */
export function documentedQueries(root: string): PlacedQuery[] {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name: string) => name.endsWith('.md'));
  return names.flatMap((name: string) =>
    queriesIn(readFileSync(join(root, 'docs', name), 'utf8')).map((expression) => ({ where: `docs/${name}`, expression })),
  );
}

const VERSION_DEADLINE_MS = 20_000;

const programIn = (folder: string) => debianProgram(folder, 'promtool');

/** Debian's Prometheus: 2.42 in Debian 12. */
const artifact: Artifact = {
  name: 'prometheus-debian',
  make: async (folder: string) => {
    await unpackDebian(folder, ['prometheus'], 'promtool', '2.42');
    await runCommand([programIn(folder), '--version'], { deadlineMs: VERSION_DEADLINE_MS });
  },
};

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
  const promtool = programIn(await ensureArtifact(toolsCache(), artifact));
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
