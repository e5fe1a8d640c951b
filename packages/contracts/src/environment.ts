/** The two environments. One installation serves one of them; keys and data of the other never work there. */
export const environments = ['sandbox', 'production'] as const;

/** Environment of an installation, a key, an event. */
export type Environment = (typeof environments)[number];
