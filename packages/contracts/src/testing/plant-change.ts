import type { ContractBundle } from '../compatibility/contract-bundle.ts';

/* How tests plant a change in the contracts. */

// biome-ignore lint/suspicious/noExplicitAny: documents are reached into by hand
export type Loose = any;

/** Contracts, to be changed. */
export interface LooseBundle {
  openapi: Loose;
  asyncapi: Loose;
  keys: Record<string, string>;
}

/** A change of contracts in place. */
export type Edit = (bundle: LooseBundle) => void;

/** Name of a change → the change, and what the comparison must say of it. */
export type PlantedChanges = Readonly<Record<string, readonly [Edit, readonly string[]]>>;

/** The contracts with a change, as another version. */
export function changed(before: ContractBundle, edit: Edit): ContractBundle {
  const copy = structuredClone(before);
  edit(copy as unknown as LooseBundle);
  return { ...copy, version: '1.1.0' };
}

/** Changes a named schema of the API. */
export const schema = (name: string, edit: (found: Loose) => void): Edit => {
  return ({ openapi }) => edit(openapi.components.schemas[name]);
};

/** Changes the data of a domain event. */
export const eventData = (name: string, edit: (found: Loose) => void): Edit => {
  return ({ asyncapi }) => edit(asyncapi.components.schemas[name]);
};

/** Changes a route, named by method and path. */
export const route = (name: string, edit: (operation: Loose) => void): Edit => {
  const [method = '', path = ''] = name.split(' ');
  return ({ openapi }) => edit(openapi.paths[path][method.toLowerCase()]);
};

/** The list without one name. */
export const without = (list: readonly string[], name: string): string[] => list.filter((each) => each !== name);
