/** The carrier code of a dispatch as the tables of the vendors are keyed by it: `DHL-Express` and `dhl express` are both `dhlexpress`. */
export function carrierKeyOf(carrierCode: string): string {
  return carrierCode.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
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
