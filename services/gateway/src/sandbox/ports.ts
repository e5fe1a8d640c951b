import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';

/** Calls other services. */
export interface Services {
  /**
   * `data` of the response.
   * @throws AppError the callee's failure, or 50301 when it does not respond in time
   */
  call<T>(call: {
    readonly service: ServiceName;
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly principal: Principal;
    readonly body?: unknown;
    readonly contentType?: string;
    readonly requestId?: string;
    readonly timeoutMs?: number;
  }): Promise<T>;
}
