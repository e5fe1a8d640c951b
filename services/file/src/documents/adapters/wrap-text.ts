import type { TextFont } from './font-library.ts';
import type { FontedText } from './fonts.ts';

const ELLIPSIS = '…';

/** A line may end behind these, and before and behind ideographs. */
const BREAKS_BEHIND = /[\s\-/_.,;:]/u;
const IDEOGRAPH = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;

/** Width of a text, in thousandths of its size. */
export function widthOf(font: TextFont, text: string): number {
  let width = 0;
  for (const character of text) width += font.widthOf(character);
  return width;
}

/** A text with an ellipsis at its end that is no wider than `width`. */
function cut(font: TextFont, text: string, width: number): string {
  const characters = Array.from(text);
  let left = widthOf(font, text) + font.widthOf(ELLIPSIS);
  while (left > width && characters.length > 0) left -= font.widthOf(characters.pop() as string);
  return characters.join('').trimEnd() + ELLIPSIS;
}

/**
 * A text in lines of at most `width`, which is in thousandths of its size. White space counts as one blank. What does not fit on
 * the last line is cut, with an ellipsis; a word that is wider than a line is broken.
 */
export function wrapText({ font, text }: FontedText, width: number, maxLines: number): readonly string[] {
  const characters = Array.from(text.replace(/\s+/gu, ' ').trim());
  const lines: string[] = [];
  let start = 0;
  while (start < characters.length) {
    const end = endOfLine(font, characters, start, width);
    if (lines.length === maxLines - 1 && end < characters.length) {
      // As many as could fit at all: an ellipsis may stand where no line could end.
      const rest = characters.slice(start, Math.min(characters.length, end + MAX_WORD)).join('');
      return [...lines, cut(font, rest, width)];
    }
    lines.push(characters.slice(start, end).join('').trim());
    start = end;
    while (characters[start] === ' ') start += 1;
  }
  return lines;
}

/** Characters behind the end of a line that are looked at for the ellipsis. */
const MAX_WORD = 40;

/** Index behind the last character of a line that begins at `start`; at least one character is on it. */
function endOfLine(font: TextFont, characters: readonly string[], start: number, width: number): number {
  let used = 0;
  let breakAt = start;
  for (let at = start; at < characters.length; at++) {
    const character = characters[at] as string;
    if (at > start && IDEOGRAPH.test(character)) breakAt = at;
    used += font.widthOf(character);
    // A blank at the end of a line takes no room.
    if (used > width && character !== ' ') return breakAt > start ? breakAt : Math.max(at, start + 1);
    if (BREAKS_BEHIND.test(character) || IDEOGRAPH.test(character)) breakAt = at + 1;
  }
  return characters.length;
}
