import type { Clock } from '@parcelway/kernel/clock';
import { ANY_CARRIER } from './domain/connection.ts';
import { type ServedCarriers, servedCarriers } from './domain/served-carriers.ts';
import type { FindConnections } from './find-connections.ts';
import type { ConnectionStore, StoredConnection } from './ports.ts';

/** What the list of carriers needs. */
export interface ListCarriersOptions {
  readonly connections: Pick<FindConnections, 'ofOwner'>;
  /** Codes of CARRIERS, in lower case. */
  readonly configured: readonly string[];
}

/** The carriers that are served for a tenant. @throws AppError 50301 when the store is out */
export async function listCarriers({ connections, configured }: ListCarriersOptions, tenantId: string): Promise<ServedCarriers> {
  const [own, operators] = await Promise.all([connections.ofOwner(tenantId), connections.ofOwner(null)]);
  return servedCarriers(own, operators, configured);
}

/** Connections that are looked at: a warehouse is offered what they name. */
const MAX_LOOKED_AT = 1000;
/** How long the codes are remembered: a bench asks as somebody signs in. */
const REMEMBERED_MS = 60_000;

/** What the list of carriers for a warehouse needs. */
export interface ListAllCarriersOptions extends ListCarriersOptions {
  readonly store: Pick<ConnectionStore, 'page'>;
  readonly clock: Clock;
}

/** Codes in the order in which they are offered: the operator's, then those that most tenants name, then by the alphabet. */
function inOrder(operators: readonly string[], owned: readonly StoredConnection[]): readonly string[] {
  const tenants = new Map(operators.map((code) => [code, new Set<string>()]));
  for (const { tenantId, carriers } of owned) {
    for (const code of carriers) if (tenantId !== null) tenants.set(code, (tenants.get(code) ?? new Set()).add(tenantId));
  }
  tenants.delete(ANY_CARRIER);
  const rank = (code: string): number => (operators.includes(code) ? Number.MAX_SAFE_INTEGER : (tenants.get(code)?.size ?? 0));
  return [...tenants.keys()].sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1));
}

/** Makes the list of the codes that any connection names, whoever owns it. It throws AppError 50301 when the store is out. */
export function createListAllCarriers({ connections, configured, store, clock }: ListAllCarriersOptions): () => Promise<readonly string[]> {
  let last: { readonly codes: readonly string[]; readonly at: number } | undefined;
  return async () => {
    if (last === undefined || clock.now() - last.at >= REMEMBERED_MS) {
      const operators = [...configured, ...(await connections.ofOwner(null)).flatMap(({ carriers }) => carriers)];
      last = { codes: inOrder(operators, await store.page(null, MAX_LOOKED_AT)), at: clock.now() };
    }
    return last.codes;
  };
}
