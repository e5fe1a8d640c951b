import { normaliseTrackingNumber } from '../tracking-number.ts';
import { detectCarriers } from './detect.ts';

/** True for a text in a form that distinguishes carriers' numbers: more than a length, or with a check digit that is right. */
export function isCarriersForm(text: string): boolean {
  return detectCarriers(normaliseTrackingNumber(text)).some(({ confidence }) => confidence !== 'low');
}
