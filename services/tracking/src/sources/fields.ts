/** An object of JSON whose fields nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object of JSON that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of JSON; one without fields for everything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** A list of JSON; an empty one for everything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The carrier code of a dispatch as the tables of the vendors are keyed by it: `DHL-Express` and `dhl express` are both `dhlexpress`. */
export function carrierKeyOf(carrierCode: string): string {
  return carrierCode.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Reads pairs such as `ups:100002 usps:21051`. */
export const pairsOf = (pairs: string): ReadonlyMap<string, string> =>
  new Map(pairs.split(' ').map((pair) => pair.split(':') as [string, string]));

/**
 * Looks up a vendor's own code of a carrier.
 * @param codes such as `ups:100002 usps:21051`, by {@link carrierKeyOf}
 * @returns gives undefined for a carrier that is not among them: the vendor then detects it by the number
 */
export function carrierCodes(codes: string): (carrierCode: string) => string | undefined {
  const known = pairsOf(codes);
  return (carrierCode) => known.get(carrierKeyOf(carrierCode));
}

/** Most texts: words of printable ASCII with a blank between them. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;

/** Text of a source as it may be stored and shown: whole characters, a blank for each run of control characters and blanks, at most `maxLength` of them. */
export function cleanText(text: unknown, maxLength: number): string {
  if (typeof text !== 'string' || text === '') return '';
  if (text.length <= maxLength && CLEAN.test(text)) return text;
  const clean = text
    .slice(0, 4 * maxLength)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return clean.length <= maxLength
    ? clean
    : clean
        .slice(0, maxLength)
        .replace(/\p{Surrogate}/gu, '')
        .trim();
}

/**
 * A table of a vendor's codes.
 * @param codes by what they mean, in a list
 * @param separator between the codes of a list
 */
export function codeTable<Meaning extends string>(
  codes: Readonly<Partial<Record<Meaning, string>>>,
  separator = ' ',
): ReadonlyMap<string, Meaning> {
  const lists = Object.entries<string | undefined>(codes);
  return new Map(
    lists.flatMap(([meaning, list = '']) => list.split(separator).map((code): [string, Meaning] => [code, meaning as Meaning])),
  );
}
