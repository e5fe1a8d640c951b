import type { Logger } from '@parcelway/kernel/logger';
import { type Dispatcher, request } from 'undici';
import type { Carrier } from '../../ports.ts';
import { carrierUnavailable, FAILED_RETRY_MS } from '../carrier-unavailable.ts';
import type { CarrierEndpoint } from './carrier-endpoints.ts';
import { parseCarrierResponse } from './carrier-response.ts';

/** What an HTTP carrier is made of. */
export interface HttpCarrierOptions {
  readonly code: string;
  readonly endpoint: CarrierEndpoint;
  /** Connections to the carrier. */
  readonly dispatcher: Dispatcher;
  readonly logger: Logger;
}

/** Largest response that is read: 1 MB. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Statuses without a place in the table that are remembered, so that each is logged once. */
const MAX_REMEMBERED = 100;

async function readCapped(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the stream, and the connection with it.
    if (size > MAX_RESPONSE_BYTES) throw new Error(`The response is larger than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

function isJson(response: Dispatcher.ResponseData): boolean {
  return /^application\/(?:[a-z.+-]+\+)?json\b/i.test(String(response.headers['content-type'] ?? ''));
}

/** Undefined when the carrier says that it does not know the number. @throws Error for a response that has no nodes in it */
async function bodyOf(response: Dispatcher.ResponseData): Promise<string | undefined> {
  // A missing page in HTML means a wrong address, not of a parcel that the carrier has yet to see.
  const unknown = response.statusCode === 404 && isJson(response);
  const encoding = response.headers['content-encoding'];
  const refusal =
    response.statusCode !== 200 && !unknown
      ? `The response has the status ${response.statusCode}`
      : encoding !== undefined && encoding !== 'identity'
        ? 'The response is compressed, which was not requested'
        : undefined;
  if (refusal === undefined && !unknown) return readCapped(response.body);
  // Nobody reads the rest: the connection is closed. Its end is an error of the stream that says nothing new.
  response.body.on('error', () => undefined).destroy();
  if (refusal !== undefined) throw new Error(refusal);
  return undefined;
}

/**
 * A carrier's interface over HTTP. `GET` of the configured address with the number in the place of `{tracking_number}`,
 * and the token, if there is one, as a bearer token. The carrier responds with 200 and
 * `{"nodes":[{"order_no","address","content","status","create_time","times"}]}` (status, create_time and times are
 * required), or 404 with a JSON body for a number that it does not know yet.
 *
 * The carrier is not trusted: at most 1 MB is read, nothing is decompressed, no redirect is followed, and a response
 * that is wrong in any part is refused as a whole. Every failure is a 50001.
 */
export function createHttpCarrier({ code, endpoint, dispatcher, logger }: HttpCarrierOptions): Carrier {
  const reported = new Set<string>();
  const reportStatus = (status: string): void => {
    if (reported.has(status) || reported.size >= MAX_REMEMBERED) return;
    reported.add(status);
    logger.warn({ carrier_code: code, status }, 'The carrier uses a status that has no admin_status yet; it counts as In Transit');
  };
  const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'identity' };
  if (endpoint.token !== undefined) headers['authorization'] = `Bearer ${endpoint.token}`;
  return {
    async track({ trackingNumber }, signal) {
      const url = endpoint.url.replaceAll('{tracking_number}', encodeURIComponent(trackingNumber));
      try {
        const body = await bodyOf(await request(url, { method: 'GET', headers, dispatcher, signal }));
        return body === undefined ? [] : parseCarrierResponse(body, trackingNumber, reportStatus);
      } catch (cause) {
        throw carrierUnavailable(FAILED_RETRY_MS, cause);
      }
    },
  };
}
