import { AppError } from '@parcelway/kernel/app-error';

/** Exports that a tenant may have under way in this process. */
export const MAX_EXPORTS_OF_TENANT = 2;
/** Exports of all tenants. Each holds a connection for minutes, and one batch of forecasts. */
const MAX_EXPORTS = 20;
/** Seconds after which a refused client is asked to try again: an export takes that long at least when it is large. */
const RETRY_AFTER = 5;

/** The exports under way. */
export class ExportSlots {
  readonly #byTenant = new Map<string, number>();
  #all = 0;

  /** @returns what gives the place back; to be called once. @throws AppError 42901, 50301 when there is none */
  take(tenantId: string): () => void {
    const own = this.#byTenant.get(tenantId) ?? 0;
    if (own >= MAX_EXPORTS_OF_TENANT) {
      const message = `${own} of your exports are under way, which is the maximum. Try again after one of them has ended`;
      const data = { limit: MAX_EXPORTS_OF_TENANT, retry_after_seconds: RETRY_AFTER };
      throw new AppError('42901', message, { retryAfterSeconds: RETRY_AFTER, data });
    }
    if (this.#all >= MAX_EXPORTS) throw AppError.unavailable('Too many exports are under way; try again', undefined, RETRY_AFTER);
    this.#byTenant.set(tenantId, own + 1);
    this.#all += 1;
    return () => this.#give(tenantId);
  }

  #give(tenantId: string): void {
    this.#all -= 1;
    const left = (this.#byTenant.get(tenantId) ?? 1) - 1;
    if (left === 0) this.#byTenant.delete(tenantId);
    else this.#byTenant.set(tenantId, left);
  }
}
