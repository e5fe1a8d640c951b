import Type from 'typebox';
import { day } from './text.ts';

/** Which amounts a service is asked for, by the gateway. */
export const UsageAmountsQuery = Type.Object({
  tenant_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }),
  from: day('First day, UTC'),
  to: day('Last day, UTC'),
});

/** What a tenant used in a service. */
export interface UsageAmountsOfDays {
  /** Days that have amounts, in order. */
  readonly days: readonly { readonly day: string; readonly amounts: Readonly<Record<string, number>> }[];
}
