/**
 * A table of a vendor's codes.
 * @param codes by what they mean, in a list
 * @param separator between the codes of a list
 */
export function codeTable<Meaning extends string>(
  codes: Readonly<Partial<Record<Meaning, string>>>,
  separator = ' ',
): ReadonlyMap<string, Meaning> {
  const lists = Object.entries<string | undefined>(codes);
  return new Map(
    lists.flatMap(([meaning, list = '']) => list.split(separator).map((code): [string, Meaning] => [code, meaning as Meaning])),
  );
}
