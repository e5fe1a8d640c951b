/** An HS code as a caller writes it: 6 to 13 digits once dots and spaces are removed. */
export const HS_CODE_PATTERN = '^[. ]*(?:[0-9][. ]*){6,13}$';

/** What {@link HS_CODE_PATTERN} allows, in words. */
export const HS_CODE_MESSAGE = 'must have 6 to 13 digits; dots and spaces may separate them';

/** An HS code in the form in which it is stored and compared: dots and spaces removed. */
export function normaliseHsCode(text: string): string {
  return text.replace(/[. ]/g, '');
}
