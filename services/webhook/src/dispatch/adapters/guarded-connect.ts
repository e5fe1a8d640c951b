import { isIP, type LookupFunction } from 'node:net';
import type { Network } from '@parcelway/kernel/networks';
import { buildConnector } from 'undici';
import type { ResolveHost } from '../../endpoints/adapters/resolve-host.ts';
import { addressRefusal, portOf, type Target } from '../../endpoints/domain/url-policy.ts';

/** A connection that was refused because of where it would have led. */
export class RefusedAddressError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedAddressError';
  }
}

/** Places whose connector is kept; the oldest goes first. */
const MAX_CONNECTORS = 2_000;

type Where = Pick<Target, 'host' | 'plain' | 'port'>;

/** Looks a host up and hands its addresses on only when every one of them may be used. */
function guardedLookup(target: Where, allowed: readonly Network[], resolve: ResolveHost): LookupFunction {
  return (host, options, callback) => {
    resolve(target.host).then(
      (addresses) => {
        for (const address of addresses) {
          const refusal = addressRefusal(target, address, allowed);
          if (refusal !== undefined) return callback(new RefusedAddressError(refusal.message), '', 0);
        }
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const first = found[0];
        if (!first) return callback(new Error(`The host name ${host} does not resolve`), '', 0);
        if (options.all) return callback(null, found);
        callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}

/**
 * The connector of the sender: no socket is opened to an address that may not be used. Names are judged by the addresses
 * that are really connected to, after they are looked up and before the socket is opened, so a name that changes between
 * registration and sending, or between two responses of its name server, gains nothing. Addresses written in the URL never
 * reach a look-up and are judged first. A connection that is kept alive was judged when it was opened.
 */
export function createGuardedConnector(options: {
  readonly allowed: readonly Network[];
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
}): buildConnector.connector {
  const { allowed, resolve, timeoutMs } = options;
  const connectors = new Map<string, buildConnector.connector>();
  // One for each place, because the look-up gets neither port nor protocol; kept, because it remembers TLS sessions.
  const connectorFor = (where: Where): buildConnector.connector => {
    const name = `${where.plain}/${where.host}/${where.port}`;
    const known = connectors.get(name);
    if (known) return known;
    const lookup = guardedLookup(where, allowed, resolve);
    const made = buildConnector({ timeout: timeoutMs, lookup, autoSelectFamily: true });
    if (connectors.size >= MAX_CONNECTORS) connectors.delete(connectors.keys().next().value as string);
    connectors.set(name, made);
    return made;
  };
  return (target, callback) => {
    const plain = target.protocol !== 'https:';
    const host = target.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const where: Where = { host, plain, port: portOf(target.port, plain) };
    const refusal = isIP(host) === 0 ? undefined : addressRefusal(where, host, allowed);
    if (refusal !== undefined) return callback(new RefusedAddressError(refusal.message), null);
    connectorFor(where)(target, callback);
  };
}
