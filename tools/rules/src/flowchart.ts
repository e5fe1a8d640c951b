/** An arrow of a diagram. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** A solid arrow is a call, a dotted one a topic. */
  readonly kind: 'call' | 'topic';
  /** Text on the arrow; empty without one. */
  readonly label: string;
}

const LINE = /^(?<from>.+?) (?<arrow>-->|-\.->)(?:\|(?<label>[^|]+)\|)? (?<to>.+)$/;

/** Ids of nodes such as `a & b[Text]`. */
const idsOf = (nodes: string): string[] => nodes.split(' & ').map((node) => node.replace(/[[({].*$/, '').trim());

/**
 * All arrows of the Mermaid flowcharts in a Markdown text; `a & b --> c & d` are four.
 * @throws Error for a line of a flowchart that is no arrow
 */
export function arrowsOf(markdown: string): Arrow[] {
  const charts = [...markdown.matchAll(/^```mermaid\nflowchart [A-Z]{2}\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines as string);
  return charts.flatMap((chart) => chart.trim().split('\n').flatMap(arrowsOfLine));
}

function arrowsOfLine(line: string): Arrow[] {
  const { from, arrow, label = '', to } = LINE.exec(line.trim())?.groups ?? {};
  if (from === undefined || to === undefined) throw new Error(`"${line.trim()}" is no arrow such as "gateway --> forecast"`);
  const kind = arrow === '-->' ? 'call' : 'topic';
  return idsOf(from).flatMap((source) => idsOf(to).map((target) => ({ from: source, to: target, kind, label }) as const));
}
