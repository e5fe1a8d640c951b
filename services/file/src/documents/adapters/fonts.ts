import type { PDFDocument, PdfObject } from 'pdfkit';
import { type Embedded, type FontLibrary, HELVETICA, RESOURCES, type Style, type TextFont } from './font-library.ts';

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
