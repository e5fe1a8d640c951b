import type { Environment } from './environment.ts';
import type { Scope } from './scopes.ts';

/** Who calls. The gateway establishes it from the API key and hands it to the services, signed and short-lived. */
export interface Principal {
  /** `system` is a service calling another on nobody's behalf. */
  readonly kind: 'tenant' | 'warehouse' | 'system';
  /** Set for `tenant`. */
  readonly tenantId: string | null;
  /** Set for `warehouse`. */
  readonly warehouseCode: string | null;
  /** Id of the API key (never the key). For `system`, the calling service's name. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly environment: Environment;
}
