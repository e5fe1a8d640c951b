/** What a spreadsheet program may take for the beginning of a formula: also the wide forms of its characters. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const PROTECTED = /^'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;

/** A text as the files that the platform writes have it: what would be taken for a formula gets an apostrophe in front. */
export function protectedText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that {@link protectedText} was given. */
export function unprotectedText(text: string): string {
  return text.replace(PROTECTED, '');
}
