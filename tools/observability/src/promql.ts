/* Names in PromQL: enough to compare them with the metrics that there are. Whether it is PromQL at all, promtool says. */

const TOKENS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|\d[\w.]*|[A-Za-z_:$][\w:$]*|=~|!~|!=|==|[<>]=?|[^\s]/g;

const LISTS = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

const isName = (token: string | undefined): token is string => /^[A-Za-z_:]/.test(token ?? '');

/** From the bracket at `start`: the names in it, and where it ends. A name after `,` or the bracket is a label. */
function namesBetween(tokens: readonly string[], start: number, closing: string) {
  const names: string[] = [];
  let index = start + 1;
  for (; index < tokens.length && tokens[index] !== closing; index += 1) {
    const token = tokens[index];
    if (isName(token) && ['{', '(', ','].includes(tokens[index - 1] ?? '')) names.push(token);
  }
  return { names, end: index };
}

/** The metrics that an expression asks for, each with the labels by which it chooses, and the labels by which it groups and joins. */
export function namesIn(expression: string): { series: { name: string; labels: string[] }[]; grouping: string[] } {
  const tokens = expression.match(TOKENS) ?? [];
  const series: { name: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!isName(token) || WORDS.has(token.toLowerCase())) continue;
    const next = tokens[index + 1] ?? '';
    if (LISTS.has(token)) {
      const { names, end } = namesBetween(tokens, index + 1, ')');
      grouping.push(...names);
      index = end;
    } else if (next === '{') {
      const { names, end } = namesBetween(tokens, index + 1, '}');
      series.push({ name: token, labels: names });
      index = end;
    } else if (next !== '(' && !LISTS.has(next)) {
      series.push({ name: token, labels: [] });
    }
  }
  return { series, grouping };
}
