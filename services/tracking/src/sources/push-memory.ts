import type { Clock } from '@parcelway/kernel/clock';
import { notePush } from '../connections/domain/call-ledger.ts';
import type { CallLedgers } from '../connections/ports.ts';

const DAY_MS = 86_400_000;
/** A vendor that has pushed within this time is taken for one that pushes. */
const PUSHES_FOR_MS = 2 * DAY_MS;
/** How long a process believes what it has read of the pushes that others received. */
const READ_AGAIN_MS = 60_000;

/** When the vendor of a connection has pushed, to this process or to another. */
export class PushMemory {
  readonly #ledgers: CallLedgers;
  readonly #connectionId: string;
  readonly #clock: Clock;
  #last = { at: 0, readAt: Number.NEGATIVE_INFINITY };

  constructor(connectionId: string, { ledgers, clock }: { readonly ledgers: CallLedgers; readonly clock: Clock }) {
    this.#ledgers = ledgers;
    this.#connectionId = connectionId;
    this.#clock = clock;
  }

  /** Notes that the vendor has pushed. @throws AppError 50301 when the store is out */
  async note(): Promise<void> {
    const now = this.#clock.now();
    this.#last = { at: now, readAt: now };
    await this.#ledgers.change(this.#connectionId, (ledger) => notePush(ledger, now));
  }

  /** True when the vendor has ever pushed, as far as is known here. */
  get hasPushed(): boolean {
    return this.#last.at > 0;
  }

  /** True when the vendor pushes what it knows: then a daily look is enough. */
  async pushes(): Promise<boolean> {
    const now = this.#clock.now();
    if (now - this.#last.readAt >= READ_AGAIN_MS) {
      const { lastPushAt } = await this.#ledgers.read(this.#connectionId);
      this.#last = { at: lastPushAt, readAt: now };
    }
    return now - this.#last.at < PUSHES_FOR_MS;
  }
}
