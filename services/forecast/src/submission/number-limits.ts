import { AppError } from '@parcelway/kernel/app-error';

/** How many unseen logistics numbers a tenant has and may have. */
export interface NumberLimit {
  readonly unseen: number;
  readonly limit: number;
}

/** Room for the numbers of one submission or correction. What is not given back counts until the intake has counted it. */
export interface NumberReservation {
  /** Takes room for so many numbers, in place of what it has. @returns why that is refused: 42201; undefined when there is room */
  take(numbers: number): AppError | undefined;
  /** For numbers that were not accepted. */
  giveBack(): void;
}

interface Pending {
  numbers: number;
  /** Counts taken since. */
  counts: number;
}

/** Counts come every 2 seconds. What the intake has not counted after ten minutes of them was never accepted, or scanned as fast as it was declared. */
const MAX_COUNTS = 300;

/**
 * Limits of logistics numbers that no warehouse has seen, as operators set them. The intake counts; what is accepted here and not yet in its counts is
 * added. A count covers as many of these numbers as it has grown by, the oldest first. So the limit may hold a little early, and never late in one process.
 */
export class NumberLimits {
  #limits: ReadonlyMap<string, NumberLimit> = new Map();
  /** By tenant, the oldest first: at most one for each count that is waited for. */
  readonly #pending = new Map<string, Pending[]>();

  /** Takes the counts of the tenants that have a limit. */
  take(limits: ReadonlyMap<string, NumberLimit>): void {
    for (const [tenantId, pending] of this.#pending) {
      const now = limits.get(tenantId);
      const before = this.#limits.get(tenantId);
      const left = now === undefined ? [] : uncovered(pending, now.unseen - (before?.unseen ?? now.unseen));
      if (left.length === 0) this.#pending.delete(tenantId);
      else this.#pending.set(tenantId, left);
    }
    this.#limits = limits;
  }

  /** Room for what a tenant is about to declare. Take it in the turn in which the numbers are checked: others may be waiting for the same room. */
  reserve(tenantId: string): NumberReservation {
    let held: { readonly pending: Pending; readonly numbers: number } | undefined;
    const giveBack = (): void => {
      if (held !== undefined) held.pending.numbers = Math.max(0, held.pending.numbers - held.numbers);
      held = undefined;
    };
    return {
      take: (numbers) => {
        giveBack();
        const [refusal] = this.refusals(tenantId, numbers);
        if (refusal === undefined && numbers > 0 && this.#limits.has(tenantId)) held = { pending: this.#add(tenantId, numbers), numbers };
        return refusal;
      },
      giveBack,
    };
  }

  /** Why a tenant may not declare so many numbers more: 42201; empty when it may. Nothing is reserved. */
  refusals(tenantId: string, numbers: number): readonly AppError[] {
    const known = this.#limits.get(tenantId);
    if (known === undefined || numbers === 0) return [];
    const { limit } = known;
    const pending = this.#pending.get(tenantId) ?? [];
    const unseen = pending.reduce((sum, each) => sum + each.numbers, known.unseen);
    if (unseen + numbers <= limit) return [];
    const message = `This declares ${numbers} more logistics numbers; the limit is ${limit} that no warehouse has seen, and ${unseen} are declared. Cancel forecasts whose parcels do not come, or ask the operator for another limit`;
    return [AppError.validation([{ field: 'items', rule: 'declared_numbers', message }])];
  }

  #add(tenantId: string, numbers: number): Pending {
    const pending = this.#pending.get(tenantId) ?? [];
    const last = pending.at(-1);
    if (last?.counts === 0) {
      last.numbers += numbers;
      return last;
    }
    const next = { numbers, counts: 0 };
    this.#pending.set(tenantId, [...pending, next]);
    return next;
  }
}

/** Declares numbers for which room was taken. What fails gives it back. @param keeps false when the numbers were not accepted after all */
export async function inRoom<T>(room: NumberReservation, declare: () => Promise<T>, keeps: (result: T) => boolean): Promise<T> {
  try {
    const result = await declare();
    if (!keeps(result)) room.giveBack();
    return result;
  } catch (error) {
    room.giveBack();
    throw error;
  }
}

/** What a count that has grown by so many leaves to be counted. */
function uncovered(pending: readonly Pending[], growth: number): Pending[] {
  let covers = Math.max(0, growth);
  for (const each of pending) {
    const covered = Math.min(each.numbers, covers);
    covers -= covered;
    each.numbers -= covered;
    each.counts += 1;
  }
  return pending.filter(({ numbers, counts }) => numbers > 0 && counts < MAX_COUNTS);
}
