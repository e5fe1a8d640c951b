/** A character that XML cannot have, or a text that looks like one: ECMA-376, part 1, 22.9.2.19. */
const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;

/** A text of a cell, in which spreadsheet programs write characters such as a carriage return as `_x000D_`. */
export function withoutEscapes(text: string): string {
  return text.includes('_x') ? text.replace(ESCAPE, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text;
}
