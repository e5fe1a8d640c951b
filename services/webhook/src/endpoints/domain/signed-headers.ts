/** Signs with one secret. @returns `v1,` and base64 */
export type Sign = (secret: string, webhookId: string, timestampSeconds: number, body: string) => string;

const USER_AGENT = 'Parcelway-Webhooks/1 (+https://www.standardwebhooks.com)';

export interface SignedHeadersOptions {
  readonly eventId: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** Custom headers. Their names differ from those that are set here. */
  readonly extra: Readonly<Record<string, string>>;
}

/** Headers of one attempt, signed for this second (Standard Webhooks 1.0, one signature per valid secret). */
export function signedHeaders({ eventId, body, secrets, extra }: SignedHeadersOptions, sign: Sign, now: number): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  return {
    ...extra,
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => sign(secret, eventId, seconds, body)).join(' '),
  };
}
