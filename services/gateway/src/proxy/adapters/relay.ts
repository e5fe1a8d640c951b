import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { requestIdOf } from '@parcelway/http/app';
import { MAX_JSON_BYTES, readBody } from '@parcelway/http/json-body';
import { assertPlainPath } from '@parcelway/http/plain-path';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { REQUEST_ID_HEADER, sendJson } from '@parcelway/http/response';
import { requestWithin } from '@parcelway/http/service-client';
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

/** Forwards requests of operators to services, with their request id. */
export interface Relay {
  /**
   * Responds with status and body of the service. Calls are few and small, so they are read whole.
   * @returns the body
   * @throws AppError 40402 for a path that is not plain, 41301, or 50301 when the service does not respond
   */
  call(req: IncomingMessage, res: ServerResponse, target: RelayTarget): Promise<string>;
  /** Responds with a content of the service, without holding it in memory. @throws AppError 50301 when the service does not respond */
  content(req: IncomingMessage, res: ServerResponse, target: RelayTarget): Promise<void>;
}

const CALL_TIMEOUT_MS = 20_000;
/** Bound on a whole content: those of files and photos are of some megabytes. */
const CONTENT_TIMEOUT_MS = 60_000;

/** A relay for the operator's API. */
export function createRelay(originOf: (service: ServiceName) => string, signer: PrincipalSigner, dispatcher: Dispatcher): Relay {
  async function send(
    req: IncomingMessage,
    { service, path, principal }: RelayTarget,
    timeoutMs: number,
    body: Buffer = Buffer.alloc(0),
  ): Promise<Dispatcher.ResponseData> {
    assertPlainPath(path);
    const type = req.headers['content-type'];
    const headers = {
      [PRINCIPAL_HEADER]: signer.sign(principal),
      [REQUEST_ID_HEADER]: requestIdOf(req),
      ...(type && { 'content-type': type }),
    };
    try {
      // Not by a URL, which would resolve the path anew, past the route that let the call in.
      return await requestWithin(dispatcher, timeoutMs, {
        origin: originOf(service),
        path,
        method: req.method as 'GET',
        headers,
        body: body.length > 0 ? body : null,
      });
    } catch (cause) {
      throw AppError.unavailable(`The ${service} service does not respond`, cause);
    }
  }

  async function textOf({ body }: Dispatcher.ResponseData, service: ServiceName): Promise<string> {
    try {
      return await body.text();
    } catch (cause) {
      throw AppError.unavailable(`The ${service} service does not respond`, cause);
    }
  }

  return {
    async call(req, res, target) {
      const response = await send(req, target, CALL_TIMEOUT_MS, await readBody(req, MAX_JSON_BYTES));
      const { allow } = response.headers;
      if (typeof allow === 'string') res.setHeader('Allow', allow);
      const text = await textOf(response, target.service);
      sendJson(res, response.statusCode, target.isMasked ? maskSecrets(text) : text);
      return text;
    },
    async content(req, res, target) {
      const response = await send(req, target, CONTENT_TIMEOUT_MS);
      if (response.statusCode !== 200) return sendJson(res, response.statusCode, await textOf(response, target.service));
      for (const name of ['content-type', 'content-length']) {
        const value = response.headers[name];
        if (typeof value === 'string') res.setHeader(name, value);
      }
      try {
        await pipeline(response.body, res);
      } catch {
        // Headers are sent: the broken connection shows the client that something failed.
        res.destroy();
      }
    },
  };
}
