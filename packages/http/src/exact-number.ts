/** A number in the grammar of JSON, and as JavaScript writes one. */
const NUMBER = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO = 48;

/** The value of a number as its digits without zeros at their edges, and the power of ten of the last one; the sign is left out. */
function decimalOf(literal: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  // Loops instead of a regular expression, whose search for trailing zeros takes quadratic time.
  let begin = 0;
  while (begin < digits.length && digits.charCodeAt(begin) === ZERO) begin += 1;
  let end = digits.length;
  while (end > begin && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return begin === end ? '0' : `${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/**
 * True when reading a JSON number yields another value than the one written: JavaScript, like most readers of JSON, keeps numbers as
 * IEEE 754 doubles, written back in their shortest form. Up to 15 significant digits always survive; 99999999.99990000000001 does not.
 * @param literal what is no number of JSON is not inexact either
 */
export function isInexactNumber(literal: string): boolean {
  const written = decimalOf(literal);
  return written !== undefined && written !== decimalOf(String(Number(literal)));
}
