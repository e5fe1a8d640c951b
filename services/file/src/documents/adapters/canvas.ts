import bwip from 'bwip-js';
import encodeQR from 'qr';
import type { LabelSymbol } from '../domain/label-symbol.ts';
import type { DocumentFonts, FontedText, TextFont } from './fonts.ts';

const ELLIPSIS = '…';

/** A line may end behind these, and before and behind ideographs. */
const BREAKS_BEHIND = /[\s\-/_.,;:]/u;
const IDEOGRAPH = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;

/** Width of a text, in thousandths of its size. */
function widthOf(font: TextFont, text: string): number {
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
function wrapText({ font, text }: FontedText, width: number, maxLines: number): readonly string[] {
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

/** A symbol in modules, its smallest units, which are 1 wide. */
interface SymbolModules {
  readonly width: number;
  readonly height: number;
  /** Blank modules that a reader needs on each side. */
  readonly quiet: number;
  /** Dark rectangles; of bars the height is {@link SymbolModules.height}. */
  readonly dark: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
}

/** Kind → name in the library of bars, and quiet zone (GS1 General Specifications 5.2.3 and 5.4.4). */
const BARS: Readonly<Record<Exclude<LabelSymbol['kind'], 'qrcode'>, readonly [bcid: string, quiet: number]>> = {
  ean8: ['ean8', 7],
  ean13: ['ean13', 11],
  upca: ['upca', 11],
  code128: ['code128', 10],
  'gs1-128': ['gs1-128', 10],
};
/** Quiet zone of a QR code (ISO/IEC 18004). */
const QR_QUIET = 4;

/** The modules of a symbol. @throws Error when its text cannot be encoded */
function encodeSymbol({ kind, text }: LabelSymbol): SymbolModules {
  if (kind === 'qrcode') return matrix(text);
  const [bcid, quiet] = BARS[kind];
  const [{ sbs: widths }] = bwip.raw({ bcid, text }) as unknown as readonly [{ readonly sbs: readonly number[] }];
  return bars(widths, quiet);
}

function bars(widths: readonly number[], quiet: number): SymbolModules {
  const dark: SymbolModules['dark'][number][] = [];
  let x = 0;
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) dark.push({ x, y: 0, width, height: 1 });
    x += width;
  }
  return { width: x, height: 1, quiet, dark };
}

/** The dots of each row, neighbours joined. */
function matrix(text: string): SymbolModules {
  // The library draws a border of one dot at least.
  const rows = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: 1 });
  const dark: SymbolModules['dark'][number][] = [];
  const size = rows.length - 2;
  for (let y = 0; y < size; y++) {
    const row = rows[y + 1] as boolean[];
    for (let x = 0; x < size; x++) {
      const from = x;
      while (x < size && row[x + 1]) x += 1;
      if (x > from) dark.push({ x: from, y, width: x - from, height: 1 });
    }
  }
  return { width: size, height: size, quiet: QR_QUIET, dark };
}

/** Points of a millimetre. */
export const POINTS = 72 / 25.4;

/** Height of a line of text, in sizes of the text. */
const LINE = 1.2;
/** Of that, above the baseline. */
const ASCENT = 0.9;

/** Dots of printers of labels in millimetres: 8 to the millimetre, which is called 203 dpi, and 300 dpi. */
const DOTS = [1 / 8, 25.4 / 300] as const;
/** Fewer dots to a module, and scanners do not read it. */
const MIN_DOTS = 2;
/** Twice the nominal size of an EAN, the largest of the standard. */
const MAX_MODULE = 0.66;

/** A rectangle on a page: millimetres from its upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TextStyle {
  /** Points. */
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
  readonly maxLines?: number;
}

/**
 * The widest module of bars that is whole dots of a printer: of a fraction more, some bars would be a dot wider than others.
 * @param fitting what there is room for, in millimetres
 * @returns undefined when that is too narrow to be read
 */
function barModule(fitting: number): number | undefined {
  const dot = DOTS.find((each) => fitting >= MIN_DOTS * each);
  return dot && Math.floor(Math.min(fitting, MAX_MODULE) / dot) * dot;
}

const number = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Height of lines of a size in points, in millimetres. */
export const lineHeight = (size: number, lines = 1): number => (size * LINE * lines) / POINTS;

/** Draws on an area of a page: gathers the operators of its content stream. */
export class Canvas {
  readonly #fonts: DocumentFonts;
  readonly #height: number;
  readonly #operators: string[] = [];

  /** @param height of the area in millimetres */
  constructor(fonts: DocumentFonts, height: number) {
    this.#fonts = fonts;
    this.#height = height;
  }

  /** The content stream. */
  get content(): string {
    return this.#operators.join('\n');
  }

  /**
   * Writes a text into a column, as many lines as allowed.
   * @returns where the next text may begin: millimetres from the top
   */
  text(text: string, { x, y, width }: Omit<Box, 'height'>, { size, bold = false, align = 'left', maxLines = 1 }: TextStyle): number {
    const fonted = this.#fonts.of(text, bold ? 'bold' : 'regular');
    const available = (width * POINTS * 1000) / size;
    const lines = wrapText(fonted, available, maxLines);
    const { font } = fonted;
    for (const [index, line] of lines.entries()) {
      const spare = available - widthOf(font, line);
      const indent = align === 'left' ? 0 : ((align === 'right' ? spare : spare / 2) * size) / 1000;
      const baseline = (this.#height - y) * POINTS - size * (index * LINE + ASCENT);
      const start = `${number(x * POINTS + indent)} ${number(baseline)} Td `;
      const shown = font.runsOf(line).map(({ resource, code }, at) => `/${resource} ${size} Tf ${at === 0 ? start : ''}<${code}> Tj`);
      this.#operators.push(`BT ${shown.join(' ')} ET`);
    }
    return y + lineHeight(size, lines.length);
  }

  /** Fills a rectangle. */
  fill(box: Box): void {
    this.#operators.push(`${this.#rectangle(box)} f`);
  }

  /**
   * Draws a symbol as large as its box allows, in the middle.
   * @returns false, and draws nothing, when its bars would be too narrow to be read
   */
  symbol(symbol: LabelSymbol, box: Box): boolean {
    const { width, height, quiet, dark } = encodeSymbol(symbol);
    const isMatrix = height > 1;
    const fitting = box.width / (width + 2 * quiet);
    const module = isMatrix ? Math.min(fitting, box.height / (height + 2 * quiet), MAX_MODULE * 2) : barModule(fitting);
    if (module === undefined) return false;
    const left = box.x + (box.width - width * module) / 2;
    const rowHeight = isMatrix ? module : box.height;
    const top = isMatrix ? box.y + (box.height - height * module) / 2 : box.y;
    const rectangles = dark.map((part) =>
      this.#rectangle({ x: left + part.x * module, y: top + part.y * rowHeight, width: part.width * module, height: rowHeight }),
    );
    this.#operators.push(`${rectangles.join('\n')}\nf`);
    return true;
  }

  #rectangle({ x, y, width, height }: Box): string {
    const bottom = this.#height - y - height;
    return `${number(x * POINTS)} ${number(bottom * POINTS)} ${number(width * POINTS)} ${number(height * POINTS)} re`;
  }
}
