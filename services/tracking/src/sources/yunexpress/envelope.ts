import { cleanText, isFields } from '../fields.ts';
import { refusalOf, retryAfterOf, type SourceResponse } from '../source-http.ts';
import { type RefusalReason, SourceRefusal } from '../source-refusal.ts';

/** What YunExpress says to a call that it understood: `{ t, success, code, msg, result }`. */
export interface YunExpressEnvelope {
  readonly isSuccess: boolean;
  /** Code and message, such as `02039171: Order rule verification failed`. */
  readonly reason: string;
  readonly result: unknown;
}

/** Codes that are about the call and not about a number. */
const refusals = new Map<string, RefusalReason>([
  ['401', 'access denied'],
  ['403', 'access denied'],
  ['0200412101', 'access denied'],
  ['429', 'throttled'],
]);

/** The code in a body, as text. */
function codeIn(json: unknown): string {
  const code = isFields(json) ? json['code'] : undefined;
  return cleanText(Number.isSafeInteger(code) ? String(code) : code, 50);
}

/** `success` is a boolean, or its text. Undefined when it is neither. */
function successIn(json: unknown): boolean | undefined {
  const success = isFields(json) ? String(json['success']).toLowerCase() : '';
  return success === 'true' || success === 'false' ? success === 'true' : undefined;
}

/**
 * Reads a response.
 * @param what names the call in the message of a refusal
 * @throws SourceRefusal when YunExpress refuses the call, by a status or by a code, or the response has not this form
 */
export function readYunExpressEnvelope(response: SourceResponse, what: string): YunExpressEnvelope {
  const { status, headers, json } = response;
  const code = codeIn(json);
  const isSuccess = successIn(json);
  const reason = isSuccess === true ? undefined : refusals.get(code);
  if (reason !== undefined && status < 500) {
    throw new SourceRefusal(reason, `${what}: the response has the code ${code}`, {
      retryAfterMs: retryAfterOf(headers, Date.now()),
      status,
    });
  }
  if (status !== 200) throw refusalOf(response, what);
  if (!isFields(json) || isSuccess === undefined) {
    throw new SourceRefusal('wrong response', `${what}: the response does not say whether it succeeded`);
  }
  const parts = [code, cleanText(json['msg'], 300)].filter((part) => part !== '');
  return { isSuccess, reason: parts.join(': ') || 'no reason is given', result: json['result'] };
}
