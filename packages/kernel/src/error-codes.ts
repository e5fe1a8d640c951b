/**
 * The closed list of outcome codes of the public API and how each gets a response.
 *
 * Every failure that crosses a process boundary carries one of these codes. Two tables live here and nowhere
 * else: code → HTTP status, and code → what a consumer of a message does with it.
 */

/** What a code means to people. `message` is the default text; a thrown error may carry a more exact one. */
interface CodeEntry {
  readonly http: number;
  readonly message: string;
}

/** Code → HTTP status and default message. The status is the first three digits, except 40003, 42207 and 50001. */
export const errorCatalogue = {
  '40001': { http: 400, message: 'The body is not well-formed JSON' },
  '40002': { http: 400, message: 'HTTPS is required: call this address with https://' },
  '40003': { http: 401, message: 'The API key is invalid, expired, revoked or of another environment' },
  '40101': { http: 401, message: 'The X-Api-Key header is missing' },
  '40301': { http: 403, message: 'The API key lacks permission for this endpoint' },
  '40302': { http: 403, message: 'The tenant is suspended' },
  '40401': { http: 404, message: 'The parcel does not exist' },
  '40402': { http: 404, message: 'No such endpoint' },
  '40403': { http: 404, message: 'The resource does not exist' },
  '40501': { http: 405, message: 'This method is not allowed here' },
  '40901': { http: 409, message: 'A forecast with this po_number and different content exists' },
  '40902': { http: 409, message: 'The state of the resource does not allow this' },
  '41201': { http: 412, message: 'The forecast has another version than If-Match names' },
  '41301': { http: 413, message: 'The body is too large' },
  '41501': { http: 415, message: 'The media type is not supported' },
  '42201': { http: 422, message: 'Field validation failed' },
  '42202': { http: 422, message: 'The tracking_number is in use by another live forecast' },
  '42203': { http: 422, message: 'The file URL was not issued to this tenant by the upload endpoint' },
  '42204': { http: 422, message: 'No file was uploaded, or the multipart body is malformed' },
  '42205': { http: 422, message: 'The file type is not allowed' },
  '42206': { http: 422, message: 'The file is too large' },
  '42207': { http: 503, message: 'The file could not be saved; try again' },
  '42901': { http: 429, message: 'Too many requests' },
  '50000': { http: 500, message: 'Internal error' },
  '50001': { http: 503, message: 'The carrier tracking interface is temporarily unavailable; try again later' },
  '50301': { http: 503, message: 'Temporarily unavailable; try again' },
} as const satisfies Record<string, CodeEntry>;

/** One of the failure codes of the catalogue. Success is `"0"` and never an error. */
export type ErrorCode = keyof typeof errorCatalogue;

/** Every failure code, in ascending order. */
export const errorCodes = Object.keys(errorCatalogue).sort() as ErrorCode[];

/** HTTP status of a response with this code. */
export function httpStatusOf(code: ErrorCode): number {
  return errorCatalogue[code].http;
}

/** True when `value` is a code of the catalogue. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}

/**
 * What a message consumer does when a handler fails with a code.
 *
 * - `retry`: a dependency is out; the partition pauses and the message is tried again for as long as that lasts.
 * - `retry-then-dead-letter`: perhaps a defect; a few tries, then the dead-letter topic.
 * - `dead-letter`: will never succeed; straight to the dead-letter topic.
 */
export type ConsumerAction = 'retry' | 'retry-then-dead-letter' | 'dead-letter';

const passing: readonly ErrorCode[] = ['42207', '42901', '50001', '50301'];
const defects: readonly ErrorCode[] = ['50000'];

/** Code → consumer action, total over the catalogue. */
export const consumerActionOf = Object.fromEntries(
  errorCodes.map((code) => [code, passing.includes(code) ? 'retry' : defects.includes(code) ? 'retry-then-dead-letter' : 'dead-letter']),
) as Readonly<Record<ErrorCode, ConsumerAction>>;
