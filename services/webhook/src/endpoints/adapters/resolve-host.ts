import { promises as dns, Resolver as ResolverWithCallback } from 'node:dns';
import type { Environment } from '@parcelway/contracts/environment';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { Network } from '@parcelway/kernel/networks';
import { within } from '@parcelway/kernel/within';
import { judgeAddress } from '../domain/address-policy.ts';
import { addressRefusal, allowanceHint, judgeUrl, type Refusal } from '../domain/url-policy.ts';

/** A registration waits this long for a name server; every attempt checks again anyway. */
const RESOLVE_DEADLINE_MS = 1500;

/** Judges URLs at registration: their shape, and every address that the host has now. @returns what says why one is refused */
export function createUrlGuard(
  allowed: readonly Network[],
  resolve: ResolveHost,
  environment: Environment,
): (url: string) => Promise<FieldError | undefined> {
  async function judge(url: string): Promise<Refusal | undefined> {
    const target = judgeUrl(url, allowed);
    if ('message' in target) return target;
    if (target.isLiteral) return undefined;
    // A name that does not resolve yet is no fault: it may be set up later, and is judged at every attempt.
    const addresses = await within(RESOLVE_DEADLINE_MS, resolve(target.host), () => new Error('The name servers are slow')).catch(() => []);
    if (target.plain && addresses.length === 0) {
      return { message: 'url must be an https:// URL; its host does not resolve to an allowed network', place: target.host };
    }
    for (const address of addresses) {
      const refusal = addressRefusal(target, address, allowed);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  return async (url) => {
    const refusal = await judge(url);
    if (!refusal) return undefined;
    const hint = refusal.place === undefined ? '' : allowanceHint(refusal.place, environment);
    return { field: 'url', rule: 'public_address', message: `${refusal.message}${hint}` };
  };
}

/** All addresses of a host name. Rejects when there are none, or no response in time. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 2000;
const TRIES = 2;
/** Names of this machine (RFC 6761). */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Resolves names by asking the name servers directly. Unlike the operating system's resolver this occupies no thread of
 * Node's pool of four, which a few names with dead name servers would block for everyone.
 *
 * With networks of its own an operator may use names that only the operating system knows (hosts file, search domains),
 * so there it is asked when the name servers know nothing; and `localhost` is this machine's addresses in them.
 */
export function createHostResolver(allowed: readonly Network[]): ResolveHost {
  const resolver = new ResolverWithCallback({ timeout: TIMEOUT_MS, tries: TRIES });
  const ask = (method: 'resolve4' | 'resolve6', host: string): Promise<string[]> =>
    new Promise((resolve, reject) => {
      resolver[method](host, (error, addresses) => (error ? reject(error) : resolve(addresses)));
    });
  return async (host) => {
    if (host === 'localhost') {
      const usable = LOOPBACK.filter((address) => judgeAddress(address, allowed) === 'allowed');
      return usable.length > 0 ? usable : LOOPBACK;
    }
    const responses = await Promise.allSettled([ask('resolve4', host), ask('resolve6', host)]);
    const addresses = responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
    if (addresses.length > 0) return addresses;
    if (allowed.length > 0) return (await dns.lookup(host, { all: true })).map(({ address }) => address);
    throw new Error(`The host name ${host} does not resolve`, { cause: (responses[0] as PromiseRejectedResult).reason });
  };
}
