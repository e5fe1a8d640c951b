import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import { lastTryAt, untilWritten } from '@parcelway/kernel/optimistic-write';
import { SerialQueue } from '@parcelway/kernel/serial-queue';
import type { ForecastRecord } from './domain/forecast.ts';
import { type ForecastWrite, type KnownForecast, keyText } from './domain/known-forecast.ts';
import type { ForecastMessage } from './domain/messages.ts';
import type { ForecastChanges } from './forecast-store.ts';
import type { Notify, WantedForecast } from './ports.ts';

/**
 * A message as it is published, with a new id.
 * @param traceparent of what caused it, when that is known
 */
export function encodeMessage(
  environment: Environment,
  { tenantId, forecastNo }: Pick<ForecastRecord, 'tenantId' | 'forecastNo'>,
  { type, data, time }: ForecastMessage,
  traceparent: string | undefined,
): EncodedMessage {
  const event = createDomainEvent({ type, publisher: 'forecast', tenantId, environment, subject: forecastNo, time, traceparent, data });
  return encodeEvent(event as DomainEvent);
}

/** About what can be written in turn before a caller that waits reaches its deadline. */
const MAX_WAITING = 200;

export interface ForecastWriterOptions {
  readonly store: ForecastChanges;
  readonly environment: Environment;
  readonly notify: Notify;
}

export interface Decided {
  readonly writes: readonly ForecastWrite[];
  /** Keys of forecasts that have to be read with their content first. Nothing is written then. */
  readonly needContent?: ReadonlySet<string>;
}

export interface Changed<D> {
  /** The decision on the state that was written onto. */
  readonly decision: D;
  /** Claims that other forecasts hold, in their order: the writes that wanted them were not made. */
  readonly takenNumbers: readonly string[];
}

/** Changes forecasts: reads them, decides, and writes, for any number of them in one round trip each. */
export class ForecastWriter {
  readonly #options: ForecastWriterOptions;
  /** Changes of one forecast come one after the other within the process: what is left are rivals in other processes, a few at most. */
  readonly #turns = new SerialQueue(MAX_WAITING);

  constructor(options: ForecastWriterOptions) {
    this.#options = options;
  }

  /**
   * Changes forecasts. When another writer comes in between, all of them are read and decided again; what was written by then is known by the
   * marks of its events.
   * @param wanted each forecast once
   * @param decide pure: may run several times. What it throws reaches the caller and nothing is written
   * @throws AppError 50301 when the store is out, or others were quicker each time
   */
  change<D extends Decided>(wanted: readonly WantedForecast[], decide: (known: readonly KnownForecast[]) => D): Promise<Changed<D>> {
    const end = lastTryAt();
    return this.#turns.run(wanted.map(keyText), () => untilWritten(() => this.#attempt(wanted, decide), end));
  }

  /** @returns undefined when another writer came in between */
  async #attempt<D extends Decided>(
    wanted: readonly WantedForecast[],
    decide: (known: readonly KnownForecast[]) => D,
  ): Promise<Changed<D> | undefined> {
    const { store, environment, notify } = this.#options;
    const decision = decide(await store.read(wanted));
    if (decision.needContent && decision.needContent.size > 0) return this.#attempt(withContent(wanted, decision.needContent), decide);
    if (decision.writes.length === 0) return { decision, takenNumbers: [] };
    const encoded = decision.writes.map((write) => ({
      ...write,
      messages: write.messages.map(({ message, traceparent }) => encodeMessage(environment, write.known.record, message, traceparent)),
    }));
    const outcomes = await store.apply(encoded);
    if (decision.writes.some(({ messages }) => messages.length > 0)) notify();
    if (outcomes.some(({ kind }) => kind === 'lost')) return undefined;
    return { decision, takenNumbers: outcomes.flatMap((outcome) => (outcome.kind === 'taken' ? outcome.takenNumbers : [])) };
  }
}

/** Those of the keys with their content; it is never taken back, so asking for it ends. */
function withContent(wanted: readonly WantedForecast[], needed: ReadonlySet<string>): WantedForecast[] {
  return wanted.map((one) => (needed.has(keyText(one)) ? { ...one, withContent: true } : one));
}
