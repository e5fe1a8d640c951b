/** Name of the work that gives forecasts from before the search their terms. */
export const FILLING = 'search-terms';
/** Its place once nothing is left to do for ever. */
export const FILLED = 'done';

/** How far the work has come. */
export interface FillingPlace {
  /** Begins at 1. */
  readonly pass: number;
  /** True when the pass has met a forecast that lacked terms. */
  readonly hasFilled: boolean;
  /** Place of the last forecast that was looked at; null at the beginning of a pass. */
  readonly after: string | null;
}

/** A place as a text, and a text as a place; '' is the beginning. */
export function textOfPlace({ pass, hasFilled, after }: FillingPlace): string {
  return `${pass} ${hasFilled ? 1 : 0} ${after ?? ''}`;
}

/** The place in a text that {@link textOfPlace} made, or in ''. */
export function placeInText(text: string): FillingPlace {
  const [pass = '', filled = '', ...after] = text.split(' ');
  return { pass: Number(pass) || 1, hasFilled: filled === '1', after: after.join(' ') || null };
}

/** Items of the forecasts that are filled in one step, at most: as many as one forecast may have. */
const MAX_ITEMS = 2000;

/** As many of the first forecasts as are filled in one step; one at least. */
export function stepOf<F extends { readonly itemCount: number }>(forecasts: readonly F[]): readonly F[] {
  let items = 0;
  const end = forecasts.findIndex(({ itemCount }) => {
    items += itemCount;
    return items > MAX_ITEMS;
  });
  return end === -1 ? forecasts : forecasts.slice(0, Math.max(1, end));
}
