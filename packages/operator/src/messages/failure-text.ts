import { type ApiFailure, sayFailure } from '@parcelway/page/api/failure';
import type { Messages } from './words.ts';

export const failureText = (failure: ApiFailure, { failures }: Messages): string =>
  sayFailure(failure, failures, {
    '40003': (words) => words.badToken,
    '40101': (words) => words.badToken,
    '40301': (words, { data }) => words.role(String((data as { required_role?: string } | null)?.required_role ?? '')),
  });
