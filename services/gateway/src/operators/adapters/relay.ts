import { pipeline } from 'node:stream/promises';
import { requestIdOf } from '@parcelway/http/app';
import { MAX_JSON_BYTES, readBody } from '@parcelway/http/json-body';
import { sendJson } from '@parcelway/http/response';
import { type ServiceCall, type ServiceClient, textOf } from '@parcelway/http/service-client';
import { maskSecrets } from '@parcelway/kernel/mask-secrets';
import type { Request, Response } from 'express';

const CALL_TIMEOUT_MS = 20_000;
/** Bound on a whole content: those of files and photos are of some megabytes. */
const CONTENT_TIMEOUT_MS = 60_000;

/** Where a request of an operator goes, and on whose behalf. */
type RelayTarget = Pick<ServiceCall, 'service' | 'path' | 'principal'>;

/**
 * Responds with status and body of a service. Calls are few and small, so they are read whole.
 * @param isMasked shows no secrets of the platform, and of ids of connections the beginning
 * @returns the body
 * @throws AppError 40402 for a path that is not plain, 41301, or 50301 when the service does not respond
 */
export async function relayCall(
  relay: Pick<ServiceClient, 'send'>,
  req: Request,
  res: Response,
  target: RelayTarget,
  isMasked: boolean,
): Promise<string> {
  const given = await readBody(req, MAX_JSON_BYTES);
  const response = await relay.send({
    ...target,
    method: req.method as 'GET',
    body: given.length > 0 ? given : undefined,
    contentType: req.headers['content-type'],
    requestId: requestIdOf(req),
    timeoutMs: CALL_TIMEOUT_MS,
  });
  const { allow } = response.headers;
  if (typeof allow === 'string') res.setHeader('Allow', allow);
  const text = await textOf(target.service, response.body);
  sendJson(res, response.statusCode, isMasked ? maskSecrets(text) : text);
  return text;
}

/** Responds with a content of a service, without holding it in memory. @throws AppError 50301 when the service does not respond */
export async function relayContent(relay: Pick<ServiceClient, 'send'>, req: Request, res: Response, target: RelayTarget): Promise<void> {
  const response = await relay.send({ ...target, method: 'GET', requestId: requestIdOf(req), timeoutMs: CONTENT_TIMEOUT_MS });
  if (response.statusCode !== 200) return sendJson(res, response.statusCode, await textOf(target.service, response.body));
  for (const name of ['content-type', 'content-length']) {
    const value = response.headers[name];
    // Of a service of this process, a length may be a number.
    if (value !== undefined) res.setHeader(name, String(value));
  }
  try {
    await pipeline(response.body, res);
  } catch {
    // Headers are sent: the broken connection shows the client that something failed.
    res.destroy();
  }
}
