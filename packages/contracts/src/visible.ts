/**
 * What shows nothing: control and format characters, surrogates, blanks and line breaks of every kind, characters that Unicode says to
 * ignore when a font has none for them (the zero-width and the Hangul fillers among them), and the empty Braille pattern.
 */
export const INVISIBLE = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800]';
const FIRST = new RegExp(`^${INVISIBLE}`, 'u');
const LAST = new RegExp(`${INVISIBLE}$`, 'u');
/** Of printable ASCII everything but the blank can be seen; most identifiers begin and end with it. */
const isPlain = (unit: number): boolean => unit > 0x20 && unit < 0x7f;
const SOME = new RegExp(INVISIBLE.replace('[', '[^'), 'u');

/** True when a text has a character that can be seen, or nothing at all: how short a text may be is another rule's. */
export function hasVisible(text: string): boolean {
  return text === '' || SOME.test(text);
}

/** True when a text begins and ends with a character that can be seen, or is empty: so two identifiers that look alike are alike. */
export function hasVisibleEdges(text: string): boolean {
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return true;
  return !FIRST.test(text) && !LAST.test(text);
}
