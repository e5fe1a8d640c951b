import { AppError } from '@parcelway/kernel/app-error';

/** How many unseen logistics numbers a tenant has and may have. */
export interface NumberLimit {
  readonly unseen: number;
  readonly limit: number;
}

/**
 * Limits of logistics numbers that no warehouse has seen, as operators set them. The intake counts; what was accepted since the last two counts, which
 * it may not have heard of yet, is added here. So for some seconds a number may count twice, and the limit may hold a little early.
 */
export class NumberLimits {
  #limits: ReadonlyMap<string, NumberLimit> = new Map();
  #recent = new Map<string, number>();
  #before: ReadonlyMap<string, number> = new Map();

  /** Takes the counts of the tenants that have a limit. */
  take(limits: ReadonlyMap<string, NumberLimit>): void {
    this.#limits = limits;
    this.#before = this.#recent;
    this.#recent = new Map();
  }

  /** Notes accepted numbers. */
  add(tenantId: string, numbers: number): void {
    if (this.#limits.has(tenantId)) this.#recent.set(tenantId, (this.#recent.get(tenantId) ?? 0) + numbers);
  }

  /** Why a tenant may not declare so many numbers more: 42201; empty when it may. */
  refusals(tenantId: string, numbers: number): readonly AppError[] {
    const known = this.#limits.get(tenantId);
    if (known === undefined || numbers === 0) return [];
    const { limit } = known;
    const unseen = known.unseen + (this.#recent.get(tenantId) ?? 0) + (this.#before.get(tenantId) ?? 0);
    if (unseen + numbers <= limit) return [];
    const message = `items declare ${numbers} logistics numbers; the limit is ${limit} that no warehouse has seen, and ${unseen} are declared. Cancel forecasts whose parcels do not come, or ask the operator for another limit`;
    return [AppError.validation([{ field: 'items', rule: 'declared_numbers', message }])];
  }
}
