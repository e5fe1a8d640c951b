import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/*
 * Tokens in URLs that expire. The token of a file opens it for ever, so a URL that expires must not show it: it has the token encrypted instead,
 * under a key of the expiry. Whoever changes the expiry in such a URL gets the token of no file. So nothing has to be compared when a URL is opened,
 * under whatever base address it was made.
 */

const SECOND_MS = 1000;

/** An expiry as a URL has it: seconds since 1970 in base 36. @param expiresAt epoch milliseconds, rounded up */
export function expiryInUrl(expiresAt: number): string {
  return Math.ceil(expiresAt / SECOND_MS).toString(36);
}

/** Epoch milliseconds of an expiry in a URL. */
export function expiryInName(expiry: string): number {
  return Number.parseInt(expiry, 36) * SECOND_MS;
}

const keyOf = (secret: string, expiry: string): Buffer => createHmac('sha256', secret).update(`expiring file token\n${expiry}`).digest();

/** A token, 16 bytes in base64url, encrypted for a URL with this expiry; as long as the token. One block, so the mode of the cipher is of no matter. */
export function sealToken(secret: string, token: string, expiry: string): string {
  const cipher = createCipheriv('aes-256-ecb', keyOf(secret, expiry), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.from(token, 'base64url')), cipher.final()]).toString('base64url');
}

/** The token in what {@link sealToken} made; the token of no file when it did not make it. */
export function openToken(secret: string, sealed: string, expiry: string): string {
  const decipher = createDecipheriv('aes-256-ecb', keyOf(secret, expiry), null).setAutoPadding(false);
  return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString('base64url');
}
