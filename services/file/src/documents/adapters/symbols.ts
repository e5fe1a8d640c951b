import bwip from 'bwip-js';
import encodeQR from 'qr';
import type { LabelSymbol } from '../domain/label-symbol.ts';

/** A symbol in modules, its smallest units, which are 1 wide. */
export interface SymbolModules {
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
export function encodeSymbol({ kind, text }: LabelSymbol): SymbolModules {
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
