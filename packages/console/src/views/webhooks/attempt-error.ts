import type { AttemptErrorCode, Delivery, DeliveryAttempt } from '@parcelway/contracts/webhook-delivery-api';
import type { Messages } from '../../messages/en.ts';

/** Where the platform's own sentence, which is English, says more than the code. */
const SAYS_MORE: ReadonlySet<string> = new Set<AttemptErrorCode>(['address_not_allowed', 'tls', 'failed']);

/** Why an attempt had no good response, in the reader's language; null when it had one. */
export function errorText(
  { error, error_code }: Pick<DeliveryAttempt, 'error' | 'error_code'>,
  words: Messages['delivery'],
): string | null {
  if (error === null) return null;
  const known = words.errors[error_code ?? ''];
  if (known === undefined) return words.because(error);
  return SAYS_MORE.has(error_code ?? '') ? `${known} (${error})` : known;
}

/**
 * What went wrong last, for the top of the page; empty when the delivery has succeeded or nothing has gone wrong yet.
 * @param status of the delivery
 */
export function lastFault(status: Delivery['status'], attempt: DeliveryAttempt | undefined, words: Messages['delivery']): string {
  if (status === 'succeeded' || attempt === undefined || attempt.outcome === 'succeeded') return '';
  const { status_code } = attempt;
  if (status_code === null) return errorText(attempt, words) ?? words.noResponse;
  const redirected = status_code >= 300 && status_code < 400;
  return [words.becauseStatus(status_code), redirected ? words.redirect : ''].join(' ').trim();
}
