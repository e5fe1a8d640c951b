import type { ApiFailure } from '@parcelway/page/api/failure';
import type { Messages } from './words.ts';

/** A failure in a sentence: what it was, and what to do about it. */
export function failureText({ code, detail }: ApiFailure, { failures: words }: Messages): string {
  switch (code) {
    case 'offline':
    case 'timeout':
      return words.offline;
    case 'unreadable':
      return words.unreadable;
    case '40003':
    case '40101':
      return words.badKey;
    case '40301': {
      const [, scope] = /scope (.+)$/.exec(detail) ?? [];
      return scope === undefined ? words.merchantKey : `${words.noPermission} ${scope}`;
    }
    default:
      return `${words.other} ${code} ${detail}`.trim();
  }
}
