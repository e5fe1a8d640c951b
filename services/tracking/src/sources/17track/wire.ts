import { cleanText, type Fields } from '../fields.ts';

/** The list in a field. 17TRACK writes null for an empty one. @throws Error naming it when it is something else */
export function listIn(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`17TRACK: ${name} is not a list`);
  return value;
}

/** Tracking number of an item; empty when it has none. */
export function numberOf(item: Fields): string {
  return cleanText(item['number'], 100);
}

/** 17TRACK's code of the carrier of an item. It comes as a number or as text; 0 is none. */
export function carrierOf(item: Fields): string | undefined {
  const { carrier } = item;
  const code = typeof carrier === 'number' ? String(carrier) : carrier;
  return typeof code === 'string' && /^[1-9]\d{0,9}$/.test(code) ? code : undefined;
}
