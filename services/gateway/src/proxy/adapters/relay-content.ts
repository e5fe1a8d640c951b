import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { requestIdOf } from '@parcelway/http/app';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { REQUEST_ID_HEADER, sendJson } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { type Dispatcher, request } from 'undici';
import type { RelayTarget } from './relay-webhooks.ts';

/**
 * Passes a content of a service on, without holding it in memory.
 * @throws AppError 50301 when the service does not respond
 */
export type RelayedContent = (req: IncomingMessage, res: ServerResponse, target: RelayTarget) => Promise<void>;

/** Bound on a whole content: those of files and photos are of some megabytes. */
const TIMEOUT_MS = 60_000;
const PASSED = ['content-type', 'content-length'] as const;

/** A relay for contents that the operator copies. */
export function createContentRelay(
  originOf: (service: ServiceName) => string,
  signer: PrincipalSigner,
  dispatcher: Dispatcher,
): RelayedContent {
  return async (req, res, { service, path, principal }) => {
    const headers = { [PRINCIPAL_HEADER]: signer.sign(principal), [REQUEST_ID_HEADER]: requestIdOf(req) };
    let response: Dispatcher.ResponseData;
    try {
      response = await request(`${originOf(service)}${path}`, { headers, dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (cause) {
      throw AppError.unavailable(`The ${service} service does not respond`, cause);
    }
    if (response.statusCode !== 200) return sendJson(res, response.statusCode, await response.body.text());
    for (const name of PASSED) {
      const value = response.headers[name];
      if (typeof value === 'string') res.setHeader(name, value);
    }
    try {
      await pipeline(response.body, res);
    } catch {
      // Headers are sent: the broken connection shows the client that something failed.
      res.destroy();
    }
  };
}
