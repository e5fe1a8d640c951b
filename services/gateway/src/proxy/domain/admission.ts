import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { AppError } from '@parcelway/kernel/app-error';
import { isWithin, type Network, parseAddress, parseNetwork } from '@parcelway/kernel/networks';
import type { KeyRecord, KnownKey } from './key.ts';
import type { RequestHead } from './request-head.ts';
import type { RouteMatch, TableRoute } from './route-table.ts';

/*
 * The checks of the gateway, in the order in which a caller meets them:
 *
 * 1. the head of the request (40001), HTTPS (40002), the path (40402), the method (40501): {@link routeOf}
 * 2. exactly one key (40003, 40101): {@link assertOneKey}; the key is known (40003): ../key-ring.ts
 * 3. the key is valid (40003), its tenant is active (40302), it may be used from the address (40301), it may use the route (40301): {@link refusalOf}
 * 4. the rate limit of the key (42901): ./rate-limits.ts
 *
 * The service of the route checks what follows: media type, size and JSON of the body (`json-body.ts` of the package http), then its fields.
 */

/** What the first checks need of the head of a request. */
export type CheckedHead = Pick<RequestHead, 'fault' | 'forwardedProto' | 'target' | 'apiKey' | 'keyCount'>;

/** Most characters of an address in a message: behind a proxy it is a header. */
const MAX_ADDRESS = 64;

/** Probes of an orchestrator reach the process directly, without the proxy that ends TLS. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * The route of a request.
 * @param match what the table of routes has for its method and path; undefined when that is nothing
 * @param behindProxy a proxy ends TLS and says so in `X-Forwarded-Proto`
 * @throws AppError 40001, 40002, 40402, 40501
 */
export function routeOf(head: CheckedHead, match: RouteMatch | undefined, behindProxy: boolean): TableRoute {
  const { target } = head;
  if (head.fault !== undefined) throw new AppError('40001', head.fault);
  if (behindProxy && head.forwardedProto !== 'https' && !PROBES.has(target?.path ?? '')) throw new AppError('40002');
  if (target === undefined) throw new AppError('40402', 'The path is not well-formed');
  if (match === undefined) throw new AppError('40402');
  if (!('route' in match)) throw new AppError('40501', `Use ${match.allow}`, { headers: { Allow: match.allow } });
  return match.route;
}

/** @throws AppError 40003 for several keys, 40101 for none */
export function assertOneKey({ apiKey, keyCount }: Pick<CheckedHead, 'apiKey' | 'keyCount'>): void {
  if (keyCount > 1) throw new AppError('40003', 'Send exactly one X-Api-Key header');
  if (apiKey === null) throw new AppError('40101');
}

/** True when a key no longer opens anything. `now`: epoch milliseconds. */
export function isDead(record: KeyRecord, now: number): boolean {
  return record.revokedAt !== null || (record.expiresAt !== null && now >= record.expiresAt);
}

/** True if a key may be used from the address. A text that is not an address, for example one with a port, never matches. */
type AllowsAddress = (address: string) => boolean;

/**
 * Reads the addresses of a key once, instead of per request. An entry that cannot be read allows nothing.
 * @returns null for a key without a list, which may be used from everywhere
 */
export function compileAllowedAddresses(texts: readonly string[]): AllowsAddress | null {
  if (texts.length === 0) return null;
  const networks = texts.map(parseNetwork).filter((network): network is Network => network !== undefined);
  return (text) => {
    const address = parseAddress(text);
    return address !== undefined && networks.some((network) => isWithin(address, network));
  };
}

/** A key, and what is derived from its record. */
export interface AdmittedKey {
  readonly known: KnownKey;
  /** Null for every address. */
  readonly allows: AllowsAddress | null;
}

/**
 * Why a key does not open a route, or undefined when it does. In this order: no longer valid (40003), tenant suspended
 * (40302), used from an address that it does not allow, held by the wrong kind of holder or without a scope of the route (40301).
 * @param address of the client, as the gateway sees it
 */
export function refusalOf({ known, allows }: AdmittedKey, route: TableRoute, address: string, now: number): AppError | undefined {
  const { record } = known;
  if (isDead(record, now)) return new AppError('40003');
  if (known.tenantStatus === 'suspended') return new AppError('40302');
  if (allows !== null && !allows(address)) return wrongAddress(address);
  if (record.holder.kind !== route.access) return new AppError('40301', `This endpoint needs the key of a ${route.access}`);
  const { scopes } = route;
  if (scopes.length > 0 && !scopes.some((scope) => record.scopes.includes(scope))) {
    return new AppError('40301', `The API key lacks the scope ${scopes.join(' or ')}`);
  }
  return undefined;
}

function wrongAddress(address: string): AppError {
  return new AppError(
    '40301',
    `The API key must not be used from the address ${address === '' ? 'of this connection, which is unknown' : address.slice(0, MAX_ADDRESS)}. ` +
      'Call from an address in its allowed_addresses, or have this address added there',
  );
}

/** Who calls, in the terms of the services. */
export function principalOfKey(record: KeyRecord, environment: Environment): Principal {
  const { holder } = record;
  return {
    kind: holder.kind,
    tenantId: holder.kind === 'tenant' ? holder.tenantId : null,
    warehouseCode: holder.kind === 'warehouse' ? holder.warehouseCode : null,
    keyId: record.keyId,
    scopes: record.scopes,
    environment,
  };
}
