/* Values as literals of the languages of the samples. */

export interface LiteralStyle {
  readonly object: readonly [open: string, close: string];
  readonly array: readonly [open: string, close: string];
  readonly emptyObject: string;
  readonly pair: (name: string, value: string) => string;
  readonly string: (text: string) => string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  readonly indent: number;
}

const words = { true: 'true', false: 'false', null: 'null' };
const singleQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

export const javascript: LiteralStyle = {
  object: ['{', '}'],
  array: ['[', ']'],
  emptyObject: '{}',
  pair: (name, value) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : singleQuoted(name)}: ${value}`,
  string: singleQuoted,
  words,
  indent: 2,
};

export const python: LiteralStyle = {
  object: ['{', '}'],
  array: ['[', ']'],
  emptyObject: '{}',
  pair: (name, value) => `${JSON.stringify(name)}: ${value}`,
  string: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
  indent: 4,
};

/** PHP, as PSR-12 formats it. */
export const php: LiteralStyle = {
  object: ['[', ']'],
  array: ['[', ']'],
  emptyObject: 'new stdClass()',
  pair: (name, value) => `${singleQuoted(name)} => ${value}`,
  // Between single quotes PHP knows no \n.
  string: (text) => (text.includes('\n') ? JSON.stringify(text).replaceAll('$', '\\$') : `'${text.replace(/[\\']/g, '\\$&')}'`),
  words,
  indent: 4,
};

/** A JSON value as a literal. @param margin blanks before the line in which it begins */
export function literal(value: unknown, style: LiteralStyle, margin = 0): string {
  if (value === null || typeof value === 'boolean') return style.words[String(value) as keyof typeof words];
  if (typeof value === 'string') return style.string(value);
  if (typeof value !== 'object') return String(value);
  const inner = margin + style.indent;
  const members = Array.isArray(value)
    ? value.map((each) => literal(each, style, inner))
    : Object.entries(value as object).map(([name, each]) => style.pair(name, literal(each, style, inner)));
  if (members.length === 0) return Array.isArray(value) ? style.array.join('') : style.emptyObject;
  const [open, close] = Array.isArray(value) ? style.array : style.object;
  const lines = members.map((member) => `${' '.repeat(inner)}${member},`);
  return `${open}\n${lines.join('\n')}\n${' '.repeat(margin)}${close}`;
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A raw string of Go; a backtick, which ends it, is added as a separate string. */
export const goQuoted = (text: string): string => `\`${text.replaceAll('`', '` + "`" + `')}\``;

/** A text block of Java. @param margin blanks before each line */
export function javaText(text: string, margin: number): string {
  const content = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""');
  return `"""\n${content}\n"""`.replaceAll('\n', `\n${' '.repeat(margin)}`);
}
