/** A content of a tenant: its token, and whether it is a photo. */
export interface ContentName {
  readonly token: string;
  readonly isPhoto: boolean;
}

type Line = Readonly<Record<string, unknown>>;

const texts = (values: readonly unknown[]): string[] => values.filter((value): value is string => typeof value === 'string');

/** Kind → the contents that a record of it names. */
const named: Readonly<Record<string, (line: Line) => readonly ContentName[]>> = {
  'file/files': ({ token }) => texts([token]).map((one) => ({ token: one, isPhoto: false })),
  'forecast/photos': ({ tokens }) => texts(tokens as unknown[]).map((token) => ({ token, isPhoto: true })),
  'warehouse-intake/photos': ({ tokens }) => texts(tokens as unknown[]).map((token) => ({ token, isPhoto: true })),
};

/** What the tokens consist of. Anything else would be no name of a file. */
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** The contents that the records of a page name. @param kind service and kind, with a slash */
export function contentsNamedIn(kind: string, lines: string): readonly ContentName[] {
  const namesOf = named[kind];
  if (namesOf === undefined) return [];
  const records = lines.split('\n').filter((line) => line !== '');
  return records.flatMap((line) => namesOf(JSON.parse(line) as Line)).filter(({ token }) => TOKEN.test(token));
}
