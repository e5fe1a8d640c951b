import type { ApiFailure } from '@parcelway/page/api/failure';
import type { Messages } from './en.ts';

type Say = (words: Messages['failures'], failure: ApiFailure) => string;

/** Says what is wrong as a whole, or that some fields are when the response names them. */
const withFaults =
  (say: (words: Messages['failures']) => string): Say =>
  (words, { detail, faults }) =>
    faults.length > 0 ? words.fields : `${say(words)} ${words.detail(detail)}`.trim();

/** Code → text for the merchant. The message of the platform is added where it says more. */
const sayings: Readonly<Record<string, Say>> = {
  offline: (words) => words.offline,
  timeout: (words) => words.timeout,
  unreadable: (words) => words.unreadable,
  'other-account': (words) => words.otherAccount,
  '40003': (words) => words.badKey,
  '40101': (words) => words.badKey,
  '40301': (words, { detail }) => {
    if (detail.includes('from the address')) return words.wrongAddress;
    const [, scope] = /scope (.+)$/.exec(detail) ?? [];
    return scope === undefined ? words.warehouseKey : `${words.noPermission} ${scope}`;
  },
  '40302': (words) => words.suspended,
  '40401': (words) => words.noParcel,
  '40403': (words) => words.notFound,
  '40902': (words, { detail }) => `${words.conflict} ${words.detail(detail)}`.trim(),
  '40901': withFaults((words) => words.poTaken),
  '41201': (words) => words.changed,
  '42201': (words, { detail, faults }) => (faults.length > 0 ? words.fields : words.detail(detail)),
  '42202': withFaults((words) => words.numberTaken),
  '42203': withFaults((words) => words.foreignFile),
  '42204': (words) => words.noFile,
  '42205': withFaults((words) => words.fileKind),
  '42206': (words, { detail }) => `${words.fileSize} ${words.detail(detail)}`.trim(),
  '42901': (words, { retryAfterSeconds = 1 }) => words.tooMany(retryAfterSeconds),
  '50001': (words) => words.carrier,
  '50301': (words) => words.unavailable,
};

/** A failure in a sentence or two: what it was, and what to do about it. */
export function failureText(failure: ApiFailure, words: Messages['failures']): string {
  const say = sayings[failure.code];
  return say === undefined ? `${words.other} ${failure.code} ${words.detail(failure.detail)}`.trim() : say(words, failure);
}

/** Why a link opens nothing, in a sentence or two. */
export function linkFailureText(failure: ApiFailure, { link, failures }: Pick<Messages, 'link' | 'failures'>): string {
  const own: Readonly<Record<string, string>> = { '40003': link.ended, '40302': link.suspended };
  return `${link.failed} ${own[failure.code] ?? failureText(failure, failures)}`;
}
