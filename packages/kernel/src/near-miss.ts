/** Names longer than this resemble no field, and are not compared: a name is the caller's text. */
const MAX_NAME = 40;

/** Changes that make a typo: a character too many, too few, wrong, or two in the wrong order. */
const MAX_CHANGES = 2;

/** Small letters and digits alone: `Length_CM` and `lengthCm` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A last word that may be a unit, as in `weight_kg`; in `shipping_label` it says what the field is. */
const UNIT = /_[^_]{1,2}$/;

/** What a field measures, without its unit: `weight` of `weight_kg`. */
function stem(name: string): string {
  return plain(name.replace(/(.)_[^_]*$/, '$1'));
}

/** How many letters are to be changed to make one text of the other (optimal string alignment). */
function changes(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const options = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + cost];
      current.push(Math.min(...options, ...(swapped ? [(before[column - 2] ?? 0) + 1] : [])));
    }
    [before, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

/**
 * The field that a name was probably meant for: one that differs in writing, by a slip, or by its unit alone, or the only one that ends in
 * the name, as `forecast_quantity` ends in `quantity`. It takes its time: look at a bounded number of names.
 * @param known names of fields
 * @returns undefined when none resembles it
 */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const given = plain(name);
  const sameText = known.find((field) => plain(field) === given);
  if (sameText !== undefined) return sameText;
  const byChanges = known
    .filter((field) => Math.abs(plain(field).length - given.length) <= MAX_CHANGES)
    .map((field) => ({ field, distance: changes(given, plain(field)) }))
    .filter(({ field, distance }) => distance <= Math.min(MAX_CHANGES, Math.floor(plain(field).length / 4)))
    .sort((a, b) => a.distance - b.distance);
  const byUnit = (field: string): boolean => UNIT.test(field) && [given, stem(name)].includes(stem(field));
  return byChanges[0]?.field ?? known.find(byUnit) ?? onlyEnding(name, known);
}

/** The only field whose last words are the name. */
function onlyEnding(name: string, known: readonly string[]): string | undefined {
  const [only, ...others] = name === '' ? [] : known.filter((field) => field.endsWith(`_${name}`));
  return others.length === 0 ? only : undefined;
}

/** What to append to a warning of an unknown field: the field that was probably meant, or nothing. */
export function hintOf(name: string, known: readonly string[]): string {
  const meant = nearMiss(name, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
