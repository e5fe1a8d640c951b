import { randomBytes } from 'node:crypto';
import { maskSecrets } from '@parcelway/kernel/mask-secrets';

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/;

/** Drawn once per process: ids of different processes, and of one after a restart, differ. */
const origin = randomBytes(9).toString('hex');
let count = 0;

/**
 * An id for a request that brings none: `req_`, 18 characters of this process, and a number. Ids need only differ, so
 * the request path does not pay for random bytes.
 */
export function newRequestId(): string {
  count += 1;
  return `req_${origin}${count.toString(36).padStart(8, '0')}`;
}

/** The client's id when it is a plain token of at most 64 characters and no secret of the platform, otherwise a new one: ids are logged and kept. */
export function requestIdFrom(given: string | null): string {
  return given !== null && REQUEST_ID_PATTERN.test(given) && maskSecrets(given) === given ? given : newRequestId();
}
