/**
 * The members of a union of texts, in the order in which they are named. One that is missing does not compile.
 * A page uses it where the contracts have a list: their schemas stay out of the page, their types do not.
 */
export function membersOf<Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] {
  return Object.keys(names) as Name[];
}
