/** What a scale says in a line. */
export interface ScaleReading {
  /** True when the weight has come to rest. */
  readonly stable: boolean;
  readonly kg: number;
}

const KG_PER_UNIT: Readonly<Record<string, number>> = { kg: 1, g: 0.001, lb: 0.45359237, oz: 0.028349523125 };

/** Status at the front (`ST,GS,`, `US,NT,`, `S S`, `S D`), then sign, digits and unit. */
const LINE =
  /^(?:(?<status>ST|US|S\s+S|S\s+D|SI?|SD)\s*[,\s]\s*)?(?:(?:GS|NT|TR|N|G)\s*[,\s:]\s*)?(?<sign>[+-])?\s*(?<digits>\d+(?:\.\d+)?)\s*(?<unit>kg|g|lb|oz)\b/i;

const UNSTABLE = /^(US|S\s+D|SD)$/i;

/**
 * Reads a line of a scale with an ASCII protocol, such as `ST,GS,+  1.234kg`. A line without a status is taken to be at rest: scales
 * that send none send only then. @returns undefined for overload (`OL`), an empty or negative weight, and whatever is no weight
 */
export function scaleReadingOf(line: string): ScaleReading | undefined {
  const { status = '', sign, digits, unit = '' } = LINE.exec(line.trim())?.groups ?? {};
  const kg = Number((Number(digits) * (KG_PER_UNIT[unit.toLowerCase()] ?? Number.NaN)).toFixed(4));
  if (sign === '-' || !(kg > 0)) return undefined;
  return { stable: !UNSTABLE.test(status), kg };
}

/** Longest line of a scale: what goes on without an end is no line. */
const MAX_LINE = 256;

/** Parts what comes over a serial line into lines. @returns complete lines, and what is left for the next time */
export function linesOf(pending: string, chunk: string): { readonly lines: readonly string[]; readonly rest: string } {
  const parts = (pending + chunk).split(/[\r\n]+/);
  const rest = parts.pop() ?? '';
  return { lines: parts.filter((line) => line.trim() !== ''), rest: rest.length > MAX_LINE ? '' : rest };
}
