import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { backOffMs } from '@parcelway/kernel/back-off';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import type { OutboxSource, Relay } from './outbox.ts';

/** What a relay needs. Times in milliseconds. */
export interface OutboxRelayOptions {
  readonly source: OutboxSource;
  /** Durable when it resolves. Has a deadline of its own. */
  readonly publish: (messages: readonly EncodedMessage[]) => Promise<void>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Messages published in one go; default 500. */
  readonly batchSize?: number;
  /** The outbox is looked at this often even if nobody says that it was written to; default 1000. */
  readonly idlePollMs?: number;
  /** While messages come, a pass begins at least so long after the one before, which published so many: what comes meanwhile shares it; default 0. */
  readonly gatherMs?: (published: number) => number;
  /** Messages that nobody waits for are published so long after the publication before, see {@link OutboxRelay.notifyUnhurried}; default 0. */
  readonly unhurriedMs?: number;
  /** Time that stop() gives to what is left in the outbox; default 5000. */
  readonly drainMs?: number;
  /** Of the service whose outbox it is; default nobody's. */
  readonly metrics?: Metrics;
}

/** With the number of messages that were published. */
type Pass = { readonly outcome: 'empty' | 'partial' | 'full' | 'failed'; readonly published: number };

const EMPTY: Pass = { outcome: 'empty', published: 0 };

const BACK_OFF = { firstMs: 100, maxMs: 5000 };
/** A batch with so many characters is full, however few messages it has: a source may bound their length, and another look costs little beside it. */
const FULL_CHARACTERS = 4_000_000;
/** Removals that a store puts off are written down so long after the first of them. */
const SETTLE_MS = 100;
/** While publishing fails, the size of the outbox is logged this often. */
const LOG_DEPTH_MS = 30_000;

/**
 * Publishes a service's outbox in the background: at once after {@link notify}, or with what comes
 * within `gatherMs` of the pass before; what nobody waits for, within `unhurriedMs` of it; again with growing pauses (100 ms to 5 s) while publishing fails, for as
 * long as that lasts. At least once, in the order of the writes.
 */
export class OutboxRelay implements Relay {
  readonly #options: Required<OutboxRelayOptions>;
  #stopping = false;
  #running: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #dirty = false;
  #notified = false;
  #failures = 0;
  /** When the present run of failures began. */
  #failingSince = 0;
  #depthLoggedAt = 0;
  /** The time that stop() gives is over. */
  #expired = false;
  /** Ends the pause of the loop; undefined while it works. */
  #wake: (() => void) | undefined;
  /** True while news do not cut the pause short: it follows a failure, or gathers messages. */
  #isPauseFixed = false;
  /** When the first of the removals that are put off was made; undefined when there is none. An instant of `performance.now()`. */
  #removedAt: number | undefined;
  /** Begins a pass for messages that nobody waits for. */
  #gathering: NodeJS.Timeout | undefined;
  /** When a publication began last; an instant of `performance.now()`. */
  #publishedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OutboxRelayOptions) {
    this.#options = {
      batchSize: 500,
      idlePollMs: 1000,
      gatherMs: () => 0,
      unhurriedMs: 0,
      drainMs: 5000,
      metrics: noTelemetry.metrics,
      ...options,
    };
  }

  /** Says that the outbox was written to. Calls of one turn of the event loop cause one pass. */
  notify(): void {
    if (this.#notified) return;
    this.#notified = true;
    setImmediate(() => {
      this.#notified = false;
      this.#dirty = true;
      if (!this.#isPauseFixed) this.#wake?.();
    });
  }

  /** The same of messages that nobody waits for: they gather until `unhurriedMs` after the last publication began, or until a pass begins for others. */
  notifyUnhurried(): void {
    const waitMs = this.#publishedAt + this.#options.unhurriedMs - performance.now();
    if (waitMs <= 0) this.notify();
    else this.#gathering ??= setTimeout(() => this.notify(), waitMs);
  }

  /** Begins to publish. */
  start(): void {
    this.#running ??= this.#loop();
  }

  /** Finishes the batch under way and publishes what is left, for at most `drainMs`. What remains is published after the next start. */
  async stop(): Promise<void> {
    if (this.#running) this.#stopped ??= this.#stop(this.#running);
    await this.#stopped;
  }

  async #stop(running: Promise<void>): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    const { drainMs, source, logger } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#expired = true;
        this.#wake?.();
        resolve();
      }, drainMs);
    });
    await Promise.race([running.then(() => this.#drain()), deadline]);
    clearTimeout(timer);
    try {
      await source.flush?.();
    } catch (error) {
      logger.warn({ err: error }, 'Published messages could not be removed from the outbox; they will be published again');
    }
  }

  async #loop(): Promise<void> {
    while (!this.#stopping) {
      this.#dirty = false;
      const begun = performance.now();
      const { outcome, published } = await this.#pass();
      if (this.#stopping) return;
      if (outcome === 'failed') await this.#pause(this.#backoffMs(), true);
      else if (outcome === 'partial') await this.#pause(begun + this.#options.gatherMs(published) - performance.now(), true);
      if (outcome !== 'failed' && outcome !== 'full') await this.#rest();
    }
  }

  /** Waits for news, or until the outbox is looked at again. Removals that become due meanwhile are written down. */
  async #rest(): Promise<void> {
    const end = performance.now() + this.#options.idlePollMs;
    while (!this.#dirty && !this.#stopping && performance.now() < end) {
      const settleAt = this.#removedAt === undefined ? end : this.#removedAt + SETTLE_MS;
      await this.#pause(Math.min(end, settleAt) - performance.now(), false);
      try {
        await this.#settle();
      } catch {
        // The next pass tries it again, and says so when it fails.
        return;
      }
    }
  }

  /** Publishes until the outbox is empty or the time is over. */
  async #drain(): Promise<void> {
    while (!this.#expired) {
      const { outcome } = await this.#pass();
      if (outcome === 'empty') return;
      if (outcome === 'failed' && !this.#expired) await this.#pause(this.#backoffMs(), true);
    }
  }

  /**
   * One batch: lease, publish, remove, in this order, so that a crash repeats messages and never loses one. A failed
   * batch is leased again from the oldest message on, so the order of a key holds.
   */
  async #pass(): Promise<Pass> {
    const { source, publish, batchSize, logger, clock, metrics } = this.#options;
    let [size, characters] = [0, 0];
    const begun = performance.now();
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    // What is written until the lease belongs to this pass.
    const publishedAt = this.#publishedAt;
    this.#publishedAt = begun;
    try {
      await this.#settle();
      // What is leased after the flush of a stop, nobody publishes and nobody gives back.
      if (this.#expired) return EMPTY;
      const messages = await source.lease(batchSize);
      size = messages.length;
      characters = messages.reduce((sum, { value }) => sum + value.length, 0);
      if (size === 0) {
        this.#publishedAt = publishedAt;
        return EMPTY;
      }
      await failpointAsync('outbox.leased');
      await publish(messages);
      await failpointAsync('outbox.published');
      // From the beginning: after a publication that took long, the leases do not last much longer.
      if (source.settle !== undefined) this.#removedAt ??= begun;
      await source.remove(messages.map((message) => message.id));
      await failpointAsync('outbox.removed');
      metrics.count('parcelway_outbox_published_total', {}, size);
    } catch (error) {
      if (this.#failures === 0) this.#failingSince = clock.now();
      this.#failures += 1;
      metrics.count('parcelway_outbox_failures_total', {});
      logger.warn({ err: error, messages: size, failures: this.#failures }, 'Publishing the outbox failed; it will be retried');
      await this.#logDepth();
      return { outcome: 'failed', published: 0 };
    }
    if (this.#failures > 0)
      logger.info({ failures: this.#failures, failedForMs: clock.now() - this.#failingSince }, 'Publishing the outbox works again');
    this.#failures = 0;
    return { outcome: size < batchSize && characters < FULL_CHARACTERS ? 'partial' : 'full', published: size };
  }

  /** Has removals written down that were put off some moments ago. */
  async #settle(): Promise<void> {
    if (this.#removedAt === undefined || performance.now() < this.#removedAt + SETTLE_MS) return;
    await this.#options.source.settle?.();
    this.#removedAt = undefined;
  }

  /** Logs how much waits, at most every 30 s; an operator wants to know while the log is out. */
  async #logDepth(): Promise<void> {
    const { source, logger, clock } = this.#options;
    const now = clock.now();
    if (now - this.#depthLoggedAt < LOG_DEPTH_MS) return;
    this.#depthLoggedAt = now;
    try {
      const { count, oldestAt } = await source.depth();
      logger.warn({ waiting: count, oldestMs: oldestAt === null ? 0 : now - oldestAt }, 'Messages wait in the outbox');
    } catch (error) {
      logger.warn({ err: error }, 'Cannot read the outbox size');
    }
  }

  #backoffMs(): number {
    return backOffMs(BACK_OFF, this.#failures, Math.random());
  }

  /** @param isFixed news do not cut it short */
  async #pause(ms: number, isFixed: boolean): Promise<void> {
    if (ms <= 0) return;
    this.#isPauseFixed = isFixed;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
    this.#isPauseFixed = false;
  }
}
