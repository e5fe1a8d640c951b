import { asiaPacificFormats } from './formats-asia-pacific.ts';
import { europeanFormats } from './formats-europe.ts';
import { northAmericanFormats } from './formats-north-america.ts';
import { worldwideFormats } from './formats-worldwide.ts';
import type { NumberFormat } from './number-format.ts';

/** Every number format that is known; of two equally good candidates the carrier of the earlier format comes first. */
export const formats: readonly NumberFormat[] = [...worldwideFormats, ...northAmericanFormats, ...europeanFormats, ...asiaPacificFormats];
