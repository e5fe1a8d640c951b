import { refusalOf, type SourceResponse } from '../source-http.ts';
import { type RefusalReason, SourceRefusal } from '../source-refusal.ts';
import { listOf, recordOf, shortText } from './wire.ts';

/** Codes of errors that concern no number (table of UPSTrackAlert.yaml; 250003 and 10429 in public issues and recordings). */
const reasons: ReadonlyMap<string, RefusalReason> = new Map([
  ['UJ0001', 'access denied'],
  ['250002', 'access denied'],
  ['250003', 'access denied'],
  ['251004', 'access denied'],
  ['10429', 'throttled'],
  ['10004', 'unavailable'],
  ['VSS100', 'unavailable'],
]);

/** Errors of a response: `response.errors[]`. */
function errorsOf({ json }: SourceResponse): readonly { readonly code: string; readonly message: string }[] {
  return listOf(recordOf(recordOf(json)['response'])['errors']).map((error) => {
    const { code, message } = recordOf(error);
    return { code: shortText(code), message: shortText(message) };
  });
}

/** Code of the first error of a response; empty when it has none. */
export function errorCodeOf(response: SourceResponse): string {
  return errorsOf(response)[0]?.code ?? '';
}

/** True for a response that is no error, by its status and by its body. */
export function isSuccess(response: SourceResponse): boolean {
  return response.status >= 200 && response.status < 300 && errorsOf(response).length === 0;
}

/** UPS describes 429 of the token call as "Quota Limit Exceeded", and says "Too Many Requests" for too many calls. */
function isQuota(response: SourceResponse): boolean {
  return errorsOf(response).some(({ message }) => /\bquota\b/i.test(message));
}

/** The refusal of a whole call, by the code in its body or else by its status. @param what names the call in the message */
export function refusalOfUps(response: SourceResponse, what: string): SourceRefusal {
  const byStatus = refusalOf(response, what);
  const code = errorCodeOf(response);
  const reason = reasons.get(code) ?? byStatus.reason;
  const isKnown = /^[A-Z0-9]{1,12}$/.test(code);
  return new SourceRefusal(
    reason === 'throttled' && isQuota(response) ? 'quota used up' : reason,
    isKnown ? `${byStatus.message} and the code ${code}` : byStatus.message,
    { retryAfterMs: byStatus.retryAfterMs, status: response.status },
  );
}
