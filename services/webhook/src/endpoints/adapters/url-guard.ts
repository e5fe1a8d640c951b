import type { Environment } from '@parcelway/contracts/environment';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { Network } from '@parcelway/kernel/networks';
import { within } from '@parcelway/kernel/within';
import { addressRefusal, allowanceHint, judgeUrl, type Refusal } from '../domain/url-policy.ts';
import type { ResolveHost } from './resolve-host.ts';

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
