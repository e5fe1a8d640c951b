import { type Assumptions, assumptions } from './assumptions.ts';
import { timesThe } from './limits.ts';

/** The variable that plans for another number of parcels a day. */
export const SCALE_PARCELS = 'SCALE_PARCELS';
const MOST = 20_000_000;
const LEAST = 1_000;

/**
 * The plan of a run: that of the page, or as many times its load as SCALE_PARCELS has times its parcels a day.
 * @throws Error when the variable is no whole number in the range that the model is for
 */
export function planFor(env: Readonly<Record<string, string | undefined>>): Assumptions {
  const given = env[SCALE_PARCELS];
  if (!given) return assumptions;
  const parcels = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (parcels < LEAST || parcels > MOST)
    throw new Error(`${SCALE_PARCELS} must be a whole number of parcels a day from ${LEAST} to ${MOST}`);
  return timesThe(assumptions, parcels / assumptions.parcelsADay);
}
