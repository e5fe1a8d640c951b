import type { Network } from '@parcelway/kernel/networks';
import { Agent } from 'undici';
import type { ResolveHost } from '../../endpoints/adapters/resolve-host.ts';
import { judgeUrl } from '../../endpoints/domain/url-policy.ts';
import type { Sender } from '../attempt-delivery.ts';
import { createGuardedConnector, RefusedAddressError } from './guarded-connect.ts';
import { failureReply, ReceiverExchange } from './receiver-exchange.ts';

/** Whole time of an attempt: connecting, sending, the response to its end. */
export const ATTEMPT_DEADLINE_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 20_000;

export interface SenderOptions {
  readonly allowed: readonly Network[];
  readonly resolve: ResolveHost;
  /** Default {@link ATTEMPT_DEADLINE_MS}. */
  readonly deadlineMs?: number;
}

/**
 * Sends with undici over connections that are kept alive. Redirects are responses like any other: following one would
 * lead to an address that was not checked. Nothing is decompressed.
 */
export function createUndiciSender(options: SenderOptions): Sender {
  const { allowed, resolve, deadlineMs = ATTEMPT_DEADLINE_MS } = options;
  // No limit on connections: the dispatcher limits each endpoint, and endpoints that share a host must not wait for each other.
  const agent = new Agent({
    connect: createGuardedConnector({ allowed, resolve, timeoutMs: Math.min(CONNECT_TIMEOUT_MS, deadlineMs) }),
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: 60_000,
    // The exchange ends at its own deadline, which spans all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send({ url, headers, body }, interruption) {
      // The connector judges addresses; what else a URL may not have (a user name, an internal name) shows in the URL alone.
      const target = judgeUrl(url, allowed);
      if ('message' in target) return Promise.resolve(failureReply(new RefusedAddressError(target.message)));
      const { origin, pathname, search } = new URL(url);
      const request = { origin, path: pathname + search, method: 'POST', headers, body } as const;
      return new Promise((done) => {
        new ReceiverExchange({ dispatch: (handler) => agent.dispatch(request, handler), deadlineMs, interruption, done });
      });
    },
    close: () => agent.destroy(),
  };
}
