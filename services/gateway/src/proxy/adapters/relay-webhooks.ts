import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { requestIdOf } from '@parcelway/http/app';
import { MAX_JSON_BYTES, readBody } from '@parcelway/http/json-body';
import { assertPlainPath } from '@parcelway/http/plain-path';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { REQUEST_ID_HEADER, sendJson } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { maskSecrets } from '@parcelway/kernel/mask-secrets';
import type { Dispatcher } from 'undici';

/** Where a relayed call goes and on whose behalf. */
export interface RelayTarget {
  readonly service: ServiceName;
  /** Path with query. */
  readonly path: string;
  readonly principal: Principal;
  /** Shows no secrets of the platform, and of ids of connections the beginning. */
  readonly isMasked?: boolean | undefined;
}

/**
 * Passes an operator's call on and responds with status and body of the service.
 * @returns the body
 * @throws AppError 40402 for a path that is not plain, 41301, or 50301 when the service does not respond
 */
export type Relayed = (req: IncomingMessage, res: ServerResponse, target: RelayTarget) => Promise<string>;

const TIMEOUT_MS = 20_000;

/** A relay for the operator's API: calls are few and small, so they are read whole. */
export function createRelay(originOf: (service: ServiceName) => string, signer: PrincipalSigner, dispatcher: Dispatcher): Relayed {
  return async (req, res, { service, path, principal, isMasked }) => {
    assertPlainPath(path);
    const body = await readBody(req, MAX_JSON_BYTES);
    const headers: Record<string, string> = { [PRINCIPAL_HEADER]: signer.sign(principal), [REQUEST_ID_HEADER]: requestIdOf(req) };
    const type = req.headers['content-type'];
    if (type !== undefined) headers['content-type'] = type;
    let status: number;
    let text: string;
    try {
      // Not by a URL, which would resolve the path anew, past the route that let the call in.
      const response = await dispatcher.request({
        origin: originOf(service),
        path,
        method: req.method as 'GET',
        headers,
        body: body.length > 0 ? body : null,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      status = response.statusCode;
      const { allow } = response.headers;
      if (typeof allow === 'string') res.setHeader('Allow', allow);
      text = await response.body.text();
    } catch (cause) {
      throw AppError.unavailable(`The ${service} service does not respond`, cause);
    }
    sendJson(res, status, isMasked ? maskSecrets(text) : text);
    return text;
  };
}
