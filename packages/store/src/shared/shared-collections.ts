import type { Collection } from '../collection.ts';
import { erasedTenants } from './erased-tenants.ts';
import { idempotencyKeys } from './idempotency-keys.ts';
import { usageDays } from './usage-days.ts';
import { workLeases } from './work-leases.ts';

/** What every service keeps besides its own: idempotency keys, erased tenants, regular works, usage. */
export const sharedCollections: readonly Collection[] = [idempotencyKeys, erasedTenants, workLeases, usageDays];
