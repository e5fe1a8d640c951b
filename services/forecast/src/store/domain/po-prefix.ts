const LAST = 0x10ffff;
/** Surrogates stand for no character: the one after the last before them is the first behind them. */
const SURROGATES = { first: 0xd800, last: 0xdfff } as const;

/**
 * The first text behind all that begin with a prefix, in the order of code points: that of both stores, which compare UTF-8 bytes.
 * @param prefix without unpaired surrogates
 * @returns undefined when there is none: the prefix is empty or made of the last code point
 */
export function behindPrefix(prefix: string): string | undefined {
  const points = [...prefix].map((character) => character.codePointAt(0) as number);
  while (points.at(-1) === LAST) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1;
  return String.fromCodePoint(...points, next);
}

/** Compares texts as both stores do: by code points. @returns negative when `a` comes first, 0 when they are equal */
export function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
