import type { ApiFailure } from '@parcelway/page/api/failure';
import type { Messages } from './words.ts';

type Say = (words: Messages['failures'], failure: ApiFailure) => string;

/** Code → text for the operator. The message of the platform is added where it says more. */
const sayings: Readonly<Record<string, Say>> = {
  offline: (words) => words.offline,
  timeout: (words) => words.timeout,
  unreadable: (words) => words.unreadable,
  '40003': (words) => words.badToken,
  '40101': (words) => words.badToken,
  '40301': (words, { data }) => words.role(String((data as { required_role?: string } | null)?.required_role ?? '')),
  '40403': (words) => words.notFound,
  '40902': (words, { detail }) => `${words.conflict} ${detail}`.trim(),
  '42201': (words, { detail, faults }) => (faults.length > 0 ? words.fields : detail),
  '50301': (words) => words.unavailable,
};

/** A failure in a sentence or two: what it was, and what to do about it. */
export function failureText(failure: ApiFailure, words: Messages['failures']): string {
  const say = sayings[failure.code];
  return say === undefined ? `${words.other} ${failure.code} ${failure.detail}`.trim() : say(words, failure);
}
