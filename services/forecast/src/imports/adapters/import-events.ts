import type { EventHandlers } from '@parcelway/bus/bus';
import { type StopImportsOptions, stopImports } from '../stop-imports.ts';

/** Stops imports whose key was revoked, or whose tenant was suspended. A late event does not stop what a tenant began once it was resumed. */
export function importHandlers(options: StopImportsOptions) {
  return {
    'key.revoked': ({ tenantid, data }) =>
      stopImports(options, { tenantId: tenantid, keyId: data.key_id, at: Date.parse(data.revoked_at) }),
    'tenant.suspended': ({ data }) => stopImports(options, { tenantId: data.tenant_id, keyId: null, at: Date.parse(data.suspended_at) }),
  } satisfies EventHandlers;
}
