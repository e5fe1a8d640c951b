import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from './generated/types.ts';

/** Headers of a request: of node:http, a `Headers`, or an object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null; readonly forEach: unknown }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a webhook is refused. */
export type RefusalReason =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'invalid_body';

/** A webhook that must not be trusted; respond to it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What a verification may have different. */
export interface VerifyOptions {
  /** Seconds that the timestamp may be off, either way; default 300. */
  readonly toleranceSeconds?: number;
  /** Now; default the clock. For tests with a webhook that was recorded. */
  readonly now?: Date;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

function headerOf(headers: WebhookHeaders, name: string): string {
  let value: unknown;
  if (typeof headers.get === 'function') value = (headers as { get(name: string): string | null }).get(name);
  else value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  // Two headers of one name: the signatures of both count, as in one header with a blank between them.
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text !== 'string' || text === '') {
    throw new WebhookVerificationError(
      'missing_header',
      `The header ${name} is missing: this is not a webhook, or a proxy removed the header`,
    );
  }
  return text;
}

function checkTimestamp(timestamp: string, { now = new Date(), toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_timestamp', 'The header webhook-timestamp must be whole seconds since 1970');
  }
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) <= toleranceSeconds) return;
  const what = age > 0 ? `${age} seconds old` : `${-age} seconds ahead`;
  throw new WebhookVerificationError(
    age > 0 ? 'timestamp_too_old' : 'timestamp_too_new',
    `The webhook is ${what}, more than the ${toleranceSeconds} allowed: it was replayed, or the clock of this machine is wrong`,
  );
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  if (!(body instanceof Uint8Array)) {
    throw new TypeError('rawBody must be the unparsed body, as text or bytes: read it before a framework parses it as JSON');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body is not UTF-8');
  }
}

function signersOf(secret: string | readonly string[]): Webhook[] {
  if (secret === undefined || secret === null) throw new TypeError(`secret is ${secret}; is the environment variable set?`);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0) throw new TypeError('secret must be the secret of the endpoint (whsec_…), or a list of secrets; it is empty');
  return secrets.map((each) => {
    try {
      return new Webhook(each);
    } catch (cause) {
      throw new TypeError('secret must be in the form that the platform returned: whsec_ and base64', { cause });
    }
  });
}

function equal(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Verifies a webhook (Standard Webhooks 1.0) and reads it.
 * @param rawBody the body byte for byte as it came, not parsed
 * @param secret `secret` of the endpoint, or several of which one must fit
 * @returns the event; `type` names its kind. Types may be added: ignore those that you do not know
 * @throws WebhookVerificationError when it must not be trusted; TypeError when secret or body are none at all
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  // Other libraries take the secret first.
  if (typeof rawBody === 'string' && rawBody.startsWith('whsec_'))
    throw new TypeError('rawBody is a secret: the order is verifyWebhook(rawBody, headers, secret)');
  const signers = signersOf(secret);
  const body = textOf(rawBody);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature').split(' ');
  checkTimestamp(timestamp, options);
  const expected = signers.map((signer) => signer.sign(id, new Date(Number(timestamp) * 1000), body));
  // Every pair is compared, so that the time does not reveal which one matches.
  const fitting = expected.flatMap((right) => given.filter((left) => equal(left, right)));
  if (fitting.length === 0) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature matches: the secret belongs to another endpoint, or the body was changed (for example parsed and serialized again)',
    );
  }
  return parseEvent(body);
}

function parseEvent(body: string): WebhookEvent {
  try {
    return JSON.parse(body) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The signature matches, but the body is not JSON');
  }
}
