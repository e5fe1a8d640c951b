/* How names and texts are written in Python. */

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** True for a word that can name a variable. */
export const isName = (word: string): boolean => /^[A-Za-z_]\w*$/.test(word) && !KEYWORDS.has(word);

/** A value as Python writes it. */
export function quote(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  return JSON.stringify(value);
}

/** A text as a documentation string on lines of its own; nothing when there is no text. */
export function docstring(text: string | undefined, indent: string): string {
  if (!text) return '';
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  const lines = safe.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`));
  return `${indent}"""${lines.join('\n').slice(indent.length)}${lines.length > 1 ? `\n${indent}` : ''}"""\n`;
}

/** `received_items` → `ReceivedItems`. */
export const pascal = (name: string): string => name.replace(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** `rotateSecret` → `rotate_secret`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');

/** The name of an element of a list: `WeighingDataImages` → `WeighingDataImage`. */
export function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') ? name.slice(0, -1) : `${name}Item`;
}
