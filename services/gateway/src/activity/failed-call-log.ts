import { FAILED_CALLS_PER_SECOND } from '@parcelway/contracts/activity-api';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import type { FailedCallRecord } from './domain/failed-call.ts';
import type { FailedCallStore } from './ports.ts';

/** What the log works with. */
export interface FailedCallLogOptions {
  readonly store: Pick<FailedCallStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const FLUSH_MS = 1000;
/** Calls of all tenants between two writes. More are not recorded. */
const MAX_PENDING = 5000;
/** A store that is out gets them again so often. */
const MAX_TRIES = 5;

/**
 * Records failed calls, some of each tenant a second: a client in a loop needs no more of them, and takes no other tenant's room. It writes once a second,
 * so that no request pays for it.
 */
export class FailedCallLog {
  readonly #options: FailedCallLogOptions;
  #pending: FailedCallRecord[] = [];
  #tries = 0;
  /** Calls of each tenant in `#second`. */
  readonly #noted = new Map<string, number>();
  #second = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: FailedCallLogOptions) {
    this.#options = options;
  }

  /** Whether a failed call of a tenant will be recorded now: asked before its content is read. */
  hasRoom(tenantId: string): boolean {
    const second = Math.floor(this.#options.clock.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#noted.clear();
    }
    return this.#pending.length < MAX_PENDING && (this.#noted.get(tenantId) ?? 0) < FAILED_CALLS_PER_SECOND;
  }

  /** Records a call, if it {@link hasRoom}. */
  note(call: Omit<FailedCallRecord, 'callId'>): void {
    if (!this.hasRoom(call.tenantId)) return;
    this.#noted.set(call.tenantId, (this.#noted.get(call.tenantId) ?? 0) + 1);
    this.#pending.push({ callId: newId('call'), ...call });
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.flush();
  }

  /** Writes what was noted. Never rejects: after a failure the next write tries it again, some times. */
  flush(): Promise<void> {
    this.#running = this.#running.then(() => this.#write());
    return this.#running;
  }

  async #write(): Promise<void> {
    if (this.#pending.length === 0) return;
    const written = this.#pending;
    this.#pending = [];
    try {
      await this.#options.store.add(written);
      this.#tries = 0;
    } catch (error) {
      this.#tries += 1;
      const isLastTry = this.#tries >= MAX_TRIES;
      if (isLastTry) this.#tries = 0;
      else this.#pending = [...written, ...this.#pending].slice(0, MAX_PENDING);
      this.#options.logger.warn({ err: error, calls: written.length, dropped: isLastTry }, 'Failed calls could not be recorded');
    }
  }
}
