import { type Agreement, agreementsOf } from './agreements.ts';
import type { ContractBundle } from './contract-bundle.ts';
import { type AgreementKind, type Finding, findingOf } from './finding.ts';
import { textWithReferences } from './json-schema.ts';
import { type Direction, schemaMisfits } from './schema-misfits.ts';

/** Something new that breaks nobody. */
export interface Addition {
  readonly contract: string;
  readonly change: string;
}

/** What a comparison comes to. */
export interface Comparison {
  readonly breaking: readonly Finding[];
  readonly additions: readonly Addition[];
}

/**
 * In which directions an agreement counts. During a rollout two versions of a service run side by side, so a domain event counts in both: old readers meet
 * new events, and new readers old ones.
 */
const DIRECTIONS: Readonly<Record<AgreementKind, readonly Direction[]>> = {
  request: ['read'],
  report: ['read'],
  response: ['write'],
  webhook: ['write'],
  event: ['write', 'read'],
  topic: ['write'],
};

type Placed = Agreement & { readonly document: ContractBundle['openapi'] };

function findingsIn(name: string, { kind, schema, document }: Placed, now: Placed): Finding[] {
  if (textWithReferences(schema, document) === textWithReferences(now.schema, now.document)) return [];
  const strictReaders = kind !== 'response' && kind !== 'webhook';
  const misfits = DIRECTIONS[kind].flatMap((direction) =>
    schemaMisfits(schema, now.schema, { direction, strictReaders, old: document, new: now.document }),
  );
  // What a reader and a writer find is found once.
  return [...new Map(misfits.map((misfit) => findingOf(kind, name, misfit)).map((found) => [found.id, found])).values()];
}

/**
 * In what the new contracts break those who keep to the old ones: callers, receivers, warehouse systems, and our own services of the
 * other version.
 * @throws Error when a schema has a keyword that the comparison does not know
 */
export function compareContracts(before: ContractBundle, after: ContractBundle): Comparison {
  const [old, current] = [agreementsOf(before), agreementsOf(after)];
  const breaking = [...old].flatMap(([name, agreement]) => {
    const now = current.get(name);
    if (now) return findingsIn(name, agreement, now);
    return agreement.of === undefined
      ? [findingOf(agreement.kind, name, { path: '', rule: 'removed', change: 'is gone', branches: [] })]
      : [];
  });
  const added = [...current].filter(([name, { of }]) => of === undefined && !old.has(name));
  const change = (kind: AgreementKind): string =>
    kind === 'event' ? 'is new: consumers that know it are rolled out before it is first published' : 'is new';
  return { breaking, additions: added.map(([name, { kind }]) => ({ contract: name, change: change(kind) })) };
}
