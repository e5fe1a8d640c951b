import { type ApiFailure, sayFailure } from '@parcelway/page/api/failure';
import { fill } from '@parcelway/page/languages';
import type { Messages } from './words.ts';

export const failureText = (failure: ApiFailure, { failures }: Messages): string =>
  sayFailure(failure, failures, {
    '40003': (words) => words.badToken,
    '40101': (words) => words.badToken,
    '40301': (words, { data }) => fill(words.role, String((data as { required_role?: string } | null)?.required_role ?? '')),
  });
