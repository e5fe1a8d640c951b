/** One that is missing does not compile. For pages: the schemas of the contracts stay out of them, their types do not. */
export const membersOf = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] => Object.keys(names) as Name[];
