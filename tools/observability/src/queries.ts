import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
