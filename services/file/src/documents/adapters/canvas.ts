import type { LabelSymbol } from '../domain/label-symbol.ts';
import type { DocumentFonts } from './fonts.ts';
import { encodeSymbol } from './symbols.ts';
import { widthOf, wrapText } from './wrap-text.ts';

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
