import type { ErrorCode } from '@parcelway/kernel/error-codes';

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
    'With `data.header`: the `Idempotency-Key` was used for other content, take another one. Otherwise: `data.fields` names what differs, `data.forecast_no` the forecast that exists. Send the same content, take another `po_number`, or cancel that forecast first.',
  40902:
    'Read the resource; `message` names the conflict. With `data.header`: a request with this `Idempotency-Key` is in progress; send it again after `Retry-After`.',
  41201:
    '`data.version` is the version that the forecast has. Read it again, see whether your correction still fits, and send it with the new `ETag`.',
  41301: 'Send less in one request. A JSON body may have 5 MB, all headers together 16 kB.',
  41501: 'Send `Content-Type: application/json; charset=utf-8` without `Content-Encoding`, or `multipart/form-data` for an upload.',
  42201: '`data.errors` lists every fault at once; fix them all.',
  42202: '`data.tracking_numbers` names the numbers in use, `data.fields` where you sent them.',
  42203: 'Upload the PDF with a key of the same tenant and environment, and send the `url` exactly as returned.',
  42204: 'Send the PDF in the form field `file`.',
  42205: '`data.errors` says why. Send a PDF named `….pdf` (a warehouse: a JPEG, PNG or WebP).',
  42206: 'Send at most 10,485,760 bytes.',
  42207: 'Send it again after `Retry-After` seconds.',
  42901: 'Wait `Retry-After` seconds.',
  50000: 'Try again once; then report the `X-Request-Id`.',
  50001: 'Try again after `Retry-After` seconds. You receive a webhook when the status changes.',
  50301: 'Send it again after `Retry-After` seconds. A submission may be repeated safely.',
};
