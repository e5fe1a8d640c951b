import { type ErrorCode, errorCatalogue } from '@parcelway/kernel/error-codes';
import { MAX_FILE_BYTES } from '../file-api.ts';
import { MAX_IMPORT_BYTES } from '../import-limits.ts';
import { fileTypesOf } from '../openapi-files.ts';
import type { RouteDefinition } from '../route.ts';

/** What a merchant or warehouse does about a code, in Markdown. */
export const remedies: Readonly<Record<ErrorCode, string>> = {
  40001: 'Send JSON that a strict parser accepts: UTF-8, no name twice in an object, nested at most 32 deep.',
  40002: 'Use the https address.',
  40003:
    'Check the key and its environment: `pf_test_` for the sandbox, `pf_live_` for production. Ask for a new one when it was revoked or has expired.',
  40101: 'Send the header `X-Api-Key`.',
  40301:
    '`message` names what is missing. A scope: use a key that has it. An address: call from one in `allowed_addresses` of the key, or add yours there.',
  40302: 'Talk to the operator of the platform.',
  40401: 'Check the `po_number`: it is exact and case-sensitive, and belongs to one environment.',
  40402: 'Check method and path. Simulations do not exist in production.',
  40403: 'Check the id in the path.',
  40501: 'Use a method that the header `Allow` names.',
  40901:
    'With `data.header`: the `Idempotency-Key` was used for other content, take another one. Otherwise: `data.fields` names what differs, `data.forecast_no` the forecast that exists. Send the same content, correct that forecast with `PATCH`, or take another `po_number`.',
  40902:
    'Read the resource; `message` names the conflict. With `data.header`: a request with this `Idempotency-Key` is in progress; send it again after `Retry-After`.',
  41201:
    '`data.version` is the version that the forecast has. Read it again, see whether your correction still fits, and send it with the new `ETag`.',
  41301: 'Send less in one request. A JSON body may have 5 MB, all headers together 16 kB.',
  41501: 'Send `Content-Type: application/json; charset=utf-8` without `Content-Encoding`, or `multipart/form-data` for an upload.',
  42201: '`data.errors` lists every fault at once; fix them all.',
  42202: '`data.tracking_numbers` names the numbers in use, `data.fields` where you sent them.',
  42203: 'Upload the PDF with a key of the same tenant and environment, and send the `url` exactly as returned.',
  42204: 'Send the file in the form field `file`.',
  42205: '`data.errors` says why. Send a PDF named `….pdf`; as an image or photo a JPEG, PNG or WebP; as an import a `.csv` or `.xlsx`.',
  42206: 'Send at most 10,485,760 bytes; as an import at most 20,971,520.',
  42207: 'Send it again after `Retry-After` seconds.',
  42901: 'Wait `Retry-After` seconds.',
  50000: 'Try again once; then report the `X-Request-Id`.',
  50001: 'Try again after `Retry-After` seconds. You receive a webhook when the status changes.',
  50301: 'Send it again after `Retry-After` seconds. A submission may be repeated safely.',
};

/** What a failure of a route means, and what to do about it. */
export interface FailureWords {
  readonly cause: string;
  /** In Markdown. */
  readonly remedy: string;
}

const bytes = (most: number): string => `Send at most ${most.toLocaleString('en-US')} bytes.`;

/** Failures that the header `Idempotency-Key` alone leads to on a route. */
const ofHeader: Readonly<Partial<Record<ErrorCode, FailureWords>>> = {
  40901: { cause: 'The `Idempotency-Key` was used for other content', remedy: 'Take another key for other content.' },
  40902: {
    cause: 'A request with this `Idempotency-Key` is in progress',
    remedy: 'Send it again after `Retry-After`: you get its response.',
  },
};

/** Failures of an upload, by what the route takes. */
function ofUpload(code: ErrorCode, types: readonly string[]): string | undefined {
  const isImport = types.includes('text/csv');
  if (code === '42206') return bytes(isImport ? MAX_IMPORT_BYTES : MAX_FILE_BYTES);
  if (code !== '42205') return undefined;
  if (isImport) return '`data.errors` says why. Send a file named `….csv` or `….xlsx`.';
  return types.includes('application/pdf')
    ? '`data.errors` says why. Send a PDF named `….pdf`.'
    : '`data.errors` says why. Send a JPEG, PNG or WebP.';
}

/** What a failure means on a route: one code may have several causes, of which a route has some. */
export function failureWords(code: ErrorCode, route: RouteDefinition): FailureWords {
  const words = { cause: errorCatalogue[code].message, remedy: remedies[code] };
  if (!route.errors.includes(code)) return ofHeader[code] ?? words;
  // A forecast alone has a po_number that another may have.
  if (code === '40901' && route.tag !== 'Forecasts') return ofHeader[code] ?? words;
  const upload = route.body === 'multipart' ? ofUpload(code, fileTypesOf(route)) : undefined;
  return upload === undefined ? words : { ...words, remedy: upload };
}
