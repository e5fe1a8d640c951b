import type { EventHandlers } from '@parcelway/bus/bus';
import { keyRevoked, type StopImportsOptions, stopImports, tenantSuspended } from '../stop-imports.ts';

/** Stops imports whose key was revoked, or whose tenant was suspended. A late event does not stop what began afterwards. */
export function importHandlers(options: StopImportsOptions) {
  return {
    'key.revoked': ({ tenantid, data }) => stopImports(options, tenantid, keyRevoked, ({ keyId }) => keyId === data.key_id),
    'tenant.suspended': ({ data }) =>
      stopImports(options, data.tenant_id, tenantSuspended, ({ createdAt }) => createdAt <= Date.parse(data.suspended_at)),
  } satisfies EventHandlers;
}
