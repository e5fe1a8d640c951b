/**
 * A number as the reader writes it, to three decimals.
 * @param signed true puts a sign before it unless it is 0
 */
export function numberText(value: number, locale: string, signed = false): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, signDisplay: signed ? 'exceptZero' : 'auto' }).format(value);
}
