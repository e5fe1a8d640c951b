import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFDocument } from 'pdfkit';

/** Characters that follow each other in one font. */
export interface TextRun {
  /** Name of the font in the resources of a document. */
  readonly resource: string;
  /** The characters as the hexadecimal string of a `Tj` operator. */
  readonly code: string;
}

/** A font, or several, that text is measured and encoded with. */
export interface TextFont {
  /** Width of a character, in thousandths of the text's size. */
  widthOf(character: string): number;
  runsOf(text: string): readonly TextRun[];
}

/** Fonts that readers of PDF bring along. */
export const HELVETICA = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const;
export type Style = keyof typeof HELVETICA;

/** Fonts that documents embed, one weight of each; docs/adr says which and why. */
const EMBEDDED = {
  ideographs: '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  letters: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
} as const;
export type Embedded = keyof typeof EMBEDDED;

/** Names of the fonts in the resources of a document. */
export const RESOURCES: Readonly<Record<Style | Embedded, string>> = { regular: 'F1', bold: 'F2', ideographs: 'F3', letters: 'F4' };

interface Glyph {
  readonly advanceWidth: number;
  /** What readers of PDF take the glyph for when they copy or search text. */
  codePoints: readonly number[];
}

/** What is used of a font of fontkit. */
export interface ParsedFont {
  readonly unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): Glyph;
}

function emptyDocument(): PDFDocument {
  return new PDFDocument({ autoFirstPage: false, font: null, info: { CreationDate: new Date(0) } });
}

/** A font of the reader's, measured once. */
function standardFont(style: Style): TextFont {
  const measured = emptyDocument().font(HELVETICA[style])._font;
  const known = new Map<string, { readonly width: number; readonly code: string }>();
  const of = (character: string): { readonly width: number; readonly code: string } => {
    let one = known.get(character);
    if (one === undefined) {
      one = { width: measured.widthOfString(character, 1000), code: measured.encode(character)[0].join('') };
      known.set(character, one);
    }
    return one;
  };
  return {
    widthOf: (character) => of(character).width,
    // Character by character: the library would look for pairs to kern, which a `Tj` does not.
    runsOf: (text) => [{ resource: RESOURCES[style], code: Array.from(text, (character) => of(character).code).join('') }],
  };
}

/**
 * The parsed font with a layout that takes each character by itself. Neither Chinese nor the alphabets of these fonts need
 * more, and the shaping of OpenType is most of what a text would cost.
 */
function withoutShaping(parsed: ParsedFont): ParsedFont {
  const glyphOf = (codePoint: number): Glyph => {
    const glyph = parsed.glyphForCodePoint(codePoint);
    // The library keeps glyphs, and has none of them for those that it first met as a part of another, such as o of ó.
    if (glyph.codePoints.length === 0) glyph.codePoints = [codePoint];
    return glyph;
  };
  const layout = (text: string): object => {
    const glyphs = Array.from(text, (character) => glyphOf(character.codePointAt(0) as number));
    const advanceWidth = glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0);
    return { glyphs, positions: glyphs.map(({ advanceWidth: xAdvance }) => ({ xAdvance })), advanceWidth };
  };
  return Object.create(parsed, { layout: { value: layout } }) as ParsedFont;
}

/** The fonts, read once and used for many documents. */
export class FontLibrary {
  readonly #parsed = new Map<Embedded, ParsedFont>();
  readonly standard = { regular: standardFont('regular'), bold: standardFont('bold') };

  /** A font to embed; read when a text first needs it. */
  embeddable(which: Embedded): ParsedFont {
    let parsed = this.#parsed.get(which);
    if (parsed === undefined) {
      const path = createRequire(import.meta.url).resolve(EMBEDDED[which]);
      parsed = withoutShaping(emptyDocument().font(readFileSync(path))._font.font as ParsedFont);
      this.#parsed.set(which, parsed);
    }
    return parsed;
  }
}
