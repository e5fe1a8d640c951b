import { instantOfLocal, localOfInstant } from '../format.ts';

/** A field of a body as a form has it, and back. */
export interface FieldOf<Typed> {
  /** @param value of the API; undefined for something new */
  readonly read: (value: unknown) => Typed;
  /** @returns undefined for what is not sent. Text that is not allowed is sent unchanged, for the platform to reject. */
  readonly write: (typed: Typed) => unknown;
}

/** What a form with these fields has; the fields are named as in the API. */
export type ValuesOf<Form> = { readonly [Name in keyof Form]: Form[Name] extends FieldOf<infer Typed> ? Typed : never };

export const text: FieldOf<string> = { read: (value) => String(value ?? ''), write: (typed) => typed.trim() };

/** An instant, as a field of the kind `datetime-local` has it. */
export const instant: FieldOf<string> = {
  read: (value) => (typeof value === 'string' ? localOfInstant(Date.parse(value)) : ''),
  write: instantOfLocal,
};

/** A list of words, separated by lines, blanks or commas. @param first what a new one begins with */
export const words = (separator: string, first: readonly string[] = []): FieldOf<string> => ({
  read: (value = first) => (value as readonly string[]).join(separator),
  write: (typed) => typed.split(/[\s,]+/).filter((word) => word !== ''),
});

/** Some of a list of choices, in the order of that list. */
export const choices = <Choice extends string>(all: readonly Choice[]): FieldOf<readonly Choice[]> => ({
  read: (value = []) => all.filter((choice) => (value as readonly string[]).includes(choice)),
  write: (chosen) => all.filter((choice) => chosen.includes(choice)),
});

const entriesOf = (fields: object) => Object.entries(fields) as [string, FieldOf<unknown>][];

/** What a form begins with. @param record undefined for a new one */
export const valuesIn = <Form extends object>(fields: Form, record: object = {}): ValuesOf<Form> =>
  Object.fromEntries(
    entriesOf(fields).map(([name, { read }]) => [name, read((record as Record<string, unknown>)[name])]),
  ) as ValuesOf<Form>;

/** The body that creates what a form says. */
export function creationIn<Body, Form extends object = object>(fields: Form, values: ValuesOf<Form>): Body {
  const written = entriesOf(fields).map(([name, { write }]) => [name, write(values[name as keyof Form])] as const);
  return Object.fromEntries(written.filter(([, value]) => value !== undefined)) as Body;
}

/** The body that changes a record to what its form says: only what is different, null for what is empty now. Empty when nothing is different. */
export function changeIn<Body, Form extends object = object>(fields: Form, values: ValuesOf<Form>, record: object): Body {
  const before = valuesIn(fields, record);
  const written = entriesOf(fields).map(([name, { write }]) => {
    const [sent, former] = [values, before].map((each) => write(each[name as keyof Form]));
    return { name, sent, isDifferent: JSON.stringify(sent) !== JSON.stringify(former) };
  });
  return Object.fromEntries(written.filter(({ isDifferent }) => isDifferent).map(({ name, sent }) => [name, sent ?? null])) as Body;
}
