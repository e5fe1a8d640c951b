import type { ApiClient } from '@parcelway/harness/api-client';
import type { Ledger, LedgerEntry } from '../kill/ledger.ts';
import { advance, newEntry, UnexpectedRefusal } from '../kill/load.ts';

/** Those who put the load on. */
export interface LoadClients {
  readonly merchant: ApiClient;
  readonly warehouse: ApiClient;
}

/** Pause of a worker after a failure, as a client with manners makes it. */
const RETRY_MS = 200;

/** Clients that take parcels through a platform, one after the other, until they are stopped; what fails is tried again. */
export class ContinuousLoad {
  readonly ledger: Ledger;
  /** Failed attempts by what they were. */
  readonly failures = new Map<string, number>();
  readonly #warehouseCode: string;
  readonly #merchant: ApiClient;
  readonly #warehouse: ApiClient;
  readonly #workers: Promise<void>;
  #finishing = false;
  #deadline = Number.POSITIVE_INFINITY;
  #refusal: UnexpectedRefusal | undefined;

  /** @param parcelsPerSecond upper bound over all workers, so that a machine of two cores is not the fault under test */
  constructor(
    clients: LoadClients,
    warehouseCode: string,
    ledger: Ledger,
    options: { readonly workers: number; readonly parcelsPerSecond: number },
  ) {
    this.ledger = ledger;
    this.#warehouseCode = warehouseCode;
    this.#merchant = clients.merchant;
    this.#warehouse = clients.warehouse;
    const pauseMs = (options.workers * 1000) / options.parcelsPerSecond;
    this.#workers = Promise.all(Array.from({ length: options.workers }, () => this.#work(pauseMs))).then(() => undefined);
  }

  /**
   * Begins no further parcel, and takes those begun to their end.
   * @throws UnexpectedRefusal when a good request was refused for good; Error when parcels are not through after `withinMs`
   */
  async finish(withinMs: number): Promise<void> {
    this.#finishing = true;
    this.#deadline = performance.now() + withinMs;
    await this.#workers;
    if (this.#refusal) throw this.#refusal;
    const open = [...this.ledger.entries.values()].filter((entry) => !entry.weighingAcknowledged).length;
    if (open > 0) throw new Error(`${open} parcels were not through ${withinMs / 1000} s after the fault was healed`);
  }

  async #work(pauseMs: number): Promise<void> {
    while (!this.#finishing && !this.#refusal) {
      const startedAt = performance.now();
      await this.#takeThrough(newEntry(this.ledger));
      const left = pauseMs - (performance.now() - startedAt);
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    }
  }

  async #takeThrough(entry: LedgerEntry): Promise<void> {
    while (!this.#refusal && performance.now() < this.#deadline) {
      try {
        await advance(entry, this.ledger, this.#merchant, this.#warehouse, this.#warehouseCode);
        return;
      } catch (error) {
        if (error instanceof UnexpectedRefusal) this.#refusal = error;
        const what = (error as Error).message.slice(0, 60);
        this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
