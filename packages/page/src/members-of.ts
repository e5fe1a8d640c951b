/** The members of a union; a missing one does not compile. Pages import types and plain lists of the contracts, not schemas. */
export const membersOf = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] => Object.keys(names) as Name[];
