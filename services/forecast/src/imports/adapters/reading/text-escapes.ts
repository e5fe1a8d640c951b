/** A character that XML cannot have, or a text that looks like one, in UTF-16: ECMA-376, part 1, 22.9.2.19. Two of them may be one character. */
const ESCAPE = /_x(D[89AB][0-9A-F]{2})__x(D[C-F][0-9A-F]{2})_|_x([0-9A-F]{4})_/gi;

const unit = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** False for half of a surrogate pair, which is no character, and for NUL, at which some stores end a text. Other control characters are refused where a field has them. */
const isKept = (character: string): boolean => /^[^\p{Cs}\0]$/u.test(character);

/** A text of a cell, in which spreadsheet programs write characters such as a carriage return as `_x000D_`. What would be no text stays as it is written. */
export function withoutEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPE, (written: string, high: string, low: string, one: string | undefined) => {
    if (one === undefined) return unit(high) + unit(low);
    return isKept(unit(one)) ? unit(one) : written;
  });
}
