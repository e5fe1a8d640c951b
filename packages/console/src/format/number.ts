/**
 * A number as the reader writes it, to three decimals.
 * @param signed true puts a sign before it unless it is 0
 */
export function numberText(value: number, locale: string, signed = false): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, signDisplay: signed ? 'exceptZero' : 'auto' }).format(value);
}

const BYTE_UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the largest unit of which there is one, to one decimal, such as `546 B` or `1.5 MB`. A kB has 1000 bytes. */
export function bytesText(bytes: number, locale: string): string {
  const power = Math.min(BYTE_UNITS.length, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = BYTE_UNITS[power - 1];
  // The browser's short form of a byte is the word.
  if (unit === undefined) return `${numberText(bytes, locale)} B`;
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
  return format.format(bytes / 1000 ** power);
}
