import type { Docstrings } from './docstrings.ts';
import { type PathName, type Paths, pathTitles } from './paths.ts';
import { figuresTable } from './table.ts';
import type { Call } from './tracer.ts';

/** What to know before reading on about a path. */
const introductions: Readonly<Record<PathName, string>> = {
  submission: 'A merchant submits a forecast. From the request at the gateway until its response is sent.',
  weighing: 'A warehouse reports that a parcel was weighed. From the request at the gateway until its response is sent.',
  webhook:
    'The same report, until the webhook is delivered and its result is stored: relays, consumers and the dispatch. Listed are the files that come after those above; those of `webhook` follow below.',
  delivery: 'What the same run enters inside `webhook`: from the event on the log until the result of the delivery is stored.',
};

interface Step {
  readonly workspace: string;
  readonly line: string;
}

/** The first call of each file. */
function stepsOf(calls: readonly Call[], docstrings: Docstrings): Map<string, Step> {
  const steps = new Map<string, Step>();
  for (const { file, name } of calls) {
    if (steps.has(file)) continue;
    const [workspace = '', path = ''] = file.split('/src/');
    const doc = docstrings.of(file, name);
    const number = steps.size + 1;
    steps.set(file, { workspace, line: `- (${number}) ${path} \`${name}\`${doc === '' ? '' : `: ${doc}`}` });
  }
  return steps;
}

/** A section of the page: the files of a path in the order of their first entry, grouped by workspace. @param known files to leave out */
function section(name: PathName, paths: Paths, docstrings: Docstrings, known: ReadonlySet<string>): string {
  const groups = new Map<string, string[]>();
  for (const [file, { workspace, line }] of stepsOf(paths[name], docstrings)) {
    if (!known.has(file)) groups.set(workspace, [...(groups.get(workspace) ?? []), line]);
  }
  const lists = [...groups].map(([workspace, lines]) => `### ${workspace}\n\n${lines.join('\n')}`);
  return [`## ${pathTitles[name]}`, introductions[name], ...lists].join('\n\n');
}

/** The page that leads developers along the paths, as Markdown. */
export function pathsPage(paths: Paths, docstrings: Docstrings): string {
  const none = new Set<string>();
  const elsewhere = new Set([...paths.weighing, ...paths.delivery].map(({ file }) => file));
  return `# Paths through the code

Four requests, followed through the running code of embedded mode. \`npm run paths -- --write\` measures them and writes this page.
Each list has the files in the order in which the path first enters them, with the function that it enters by.
The number in parentheses is the place in the whole path; the lists are grouped by workspace, in the order of their first file.

## Figures

${figuresTable(paths)}

An entry is a call of a function in another file than the call before it. Calls that run concurrently count apart. A return to the caller is
no entry, nor is a function that is one expression, such as \`(order) => order.id\`. \`npm run paths -- --all-functions\` counts those, too.
\`npm run paths -- --sequence submission\` prints every entry of a path. What an idle platform does by itself is left out.

${section('submission', paths, docstrings, none)}

${section('weighing', paths, docstrings, none)}

${section('webhook', paths, docstrings, elsewhere)}

${section('delivery', paths, docstrings, none)}
`;
}
