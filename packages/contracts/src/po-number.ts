import Type from 'typebox';
import { object } from './object.ts';
import { identifier, TEXT_PATTERN } from './text.ts';

/** Most characters of a po_number. */
const MAX_PO_NUMBER = 64;

/** `po_number` wherever a caller sends it. */
export const poNumber = identifier(1, MAX_PO_NUMBER, 'Business key of the forecast; case-sensitive and exact');

/** Longer than any URL that the platform reads. */
const MAX_IN_URL = 65_536;

/** `po_number` in a query, where any text may be asked for: one that no forecast can have finds nothing. */
export const poNumberToFind = Type.String({
  minLength: 1,
  maxLength: MAX_IN_URL,
  description: 'po_number of the forecast, exactly as submitted',
});

const TEXT = new RegExp(TEXT_PATTERN, 'u');

/** False for a text that no forecast has for its po_number. Stores are not asked for such a one: they may end a text at a NUL. */
export function mayBePoNumber(text: string): boolean {
  // A character takes at most two units; only what can be short enough is counted.
  return text !== '' && text.length <= 2 * MAX_PO_NUMBER && [...text].length <= MAX_PO_NUMBER && TEXT.test(text);
}

/** Query parameter of the weighing and tracking queries. */
export const PoNumberQuery = object('PoNumberQuery', { po_number: poNumberToFind });
