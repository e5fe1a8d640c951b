import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFDocument, type PdfObject } from 'pdfkit';

/** Characters that follow each other in one font. */
interface TextRun {
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
const HELVETICA = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const;
type Style = keyof typeof HELVETICA;

/** Fonts that documents embed, one weight of each; docs/adr says which and why. */
const EMBEDDED = {
  ideographs: '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  letters: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
} as const;
type Embedded = keyof typeof EMBEDDED;

/** Names of the fonts in the resources of a document. */
const RESOURCES: Readonly<Record<Style | Embedded, string>> = { regular: 'F1', bold: 'F2', ideographs: 'F3', letters: 'F4' };

interface Glyph {
  readonly advanceWidth: number;
  /** What readers of PDF take the glyph for when they copy or search text. */
  codePoints: readonly number[];
}

/** What is used of a font of fontkit. */
interface ParsedFont {
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

/** A text with what has all of its characters. */
export interface FontedText {
  readonly font: TextFont;
  readonly text: string;
}

/** Shown for a character that the fonts lack. */
export const REPLACEMENT = '□';

/** Characters of WinAnsiEncoding, which every reader of PDF draws by its own fonts: nothing needs to be embedded. */
const WIN_ANSI = /^[\x20-\x7e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u;

/** Scripts that need no shaping. The font of letters has others, too, whose characters would have the wrong forms and places. */
const UNSHAPED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** Letters whose accents are characters of their own, as some systems write names. */
const LETTERS_WITH_MARKS = /\p{L}\p{M}+/gu;

/** A font of which each character is in one of several. */
function mixedFont(fontOf: (character: string) => TextFont): TextFont {
  return {
    widthOf: (character) => fontOf(character).widthOf(character),
    runsOf(text) {
      const runs: { readonly font: TextFont; text: string }[] = [];
      for (const character of text) {
        const font = fontOf(character);
        const last = runs.at(-1);
        if (last?.font === font) last.text += character;
        else runs.push({ font, text: character });
      }
      return runs.flatMap((run) => run.font.runsOf(run.text));
    },
  };
}

export class DocumentFonts {
  readonly #library: FontLibrary;
  readonly #document: PDFDocument;
  readonly #used = new Map<string, PdfObject>();
  readonly #embedded = new Map<Embedded, TextFont>();
  readonly #mixed = mixedFont((character) => this.#embed(this.#has('letters', character) ? 'letters' : 'ideographs'));
  /** Characters that are not shown as written. */
  replaced = 0;

  constructor(library: FontLibrary, document: PDFDocument) {
    this.#library = library;
    this.#document = document;
  }

  /** Objects of the fonts in use, by resource: an entry `Font` of resources. */
  get resources(): Record<string, PdfObject> {
    return Object.fromEntries(this.#used);
  }

  /**
   * The font for a text: a standard one when that has all characters, else the one of ideographs when that has, else for each character the one of
   * letters or of ideographs. Characters that no font has are replaced.
   */
  of(written: string, style: Style = 'regular'): FontedText {
    if (WIN_ANSI.test(written)) return { font: this.#standard(style), text: written };
    const text = written.replace(LETTERS_WITH_MARKS, (letter) => letter.normalize('NFC'));
    if (WIN_ANSI.test(text)) return { font: this.#standard(style), text };
    const isOfIdeographs = Array.from(text).every((character) => this.#has('ideographs', character));
    if (isOfIdeographs) return { font: this.#embed('ideographs'), text };
    return { font: this.#mixed, text: this.#replaceUnknown(text) };
  }

  #standard(style: Style): TextFont {
    const resource = RESOURCES[style];
    if (!this.#used.has(resource)) {
      const object = this.#document.ref({ Type: 'Font', Subtype: 'Type1', BaseFont: HELVETICA[style], Encoding: 'WinAnsiEncoding' });
      object.end();
      this.#used.set(resource, object);
    }
    return this.#library.standard[style];
  }

  #has(which: Embedded, character: string): boolean {
    if (which === 'letters' && !UNSHAPED.test(character)) return false;
    return this.#library.embeddable(which).hasGlyphForCodePoint(character.codePointAt(0) as number);
  }

  #embed(which: Embedded): TextFont {
    const embedded = this.#embedded.get(which);
    if (embedded) return embedded;
    const parsed = this.#library.embeddable(which);
    const resource = RESOURCES[which];
    const font = this.#document.font(parsed, which)._font;
    this.#used.set(resource, font.ref());
    const scale = 1000 / parsed.unitsPerEm;
    const textFont: TextFont = {
      widthOf: (character) => parsed.glyphForCodePoint(character.codePointAt(0) as number).advanceWidth * scale,
      runsOf: (text) => [{ resource, code: font.encode(text)[0].join('') }],
    };
    this.#embedded.set(which, textFont);
    return textFont;
  }

  #replaceUnknown(text: string): string {
    const isKnown = (character: string): boolean => this.#has('letters', character) || this.#has('ideographs', character);
    return Array.from(text, (character) => {
      if (isKnown(character)) return character;
      this.replaced += 1;
      // A variant of a character that the fonts lack is drawn in its plain form.
      const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
      return plain !== '' && Array.from(plain).every(isKnown) ? plain : REPLACEMENT;
    }).join('');
  }
}
