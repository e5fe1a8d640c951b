/** What a spreadsheet program may take for the beginning of a formula: also the wide forms of its characters. */
const BEGINS = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]';
/** At the beginning of a text. Some programs drop tabs and carriage returns there. */
const FIRST = `'*(?:${BEGINS}|[\\t\\r])`;
/** Behind what another program may take for the end of a cell; quotes may enclose the next one. */
const SEPARATORS = '[;,\\t\\r\\n]';
const NEXT = `'*"*${BEGINS}`;

const UNSAFE = new RegExp(`^(?=${FIRST})|(?<=${SEPARATORS})(?=${NEXT})`, 'g');
const PROTECTED = new RegExp(`^'(?=${FIRST})|(?<=${SEPARATORS})'(?=${NEXT})`, 'g');

/**
 * A text as the files that the platform writes have it: what would be taken for a formula gets an apostrophe in front. That is the beginning of the text,
 * and what is behind a semicolon, a comma, a tab or a line break, where a program that separates cells otherwise begins a cell.
 */
export function protectedText(text: string): string {
  return text.replace(UNSAFE, "'");
}

/** The text that {@link protectedText} was given. */
export function unprotectedText(text: string): string {
  return text.replace(PROTECTED, '');
}
