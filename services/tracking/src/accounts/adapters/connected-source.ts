import type { ShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { Agent } from 'undici';
import type { AskedParcel, QueryResult, RegisterResult, TrackingSource } from '../../sources/source.ts';
import { connectSource, type SourceRun, withoutCredentials } from '../../sources/source-http.ts';
import { isLimit, refusalIn, SourceRefusal } from '../../sources/source-refusal.ts';
import { EMPTY_TRACE, type Trace } from '../../sources/trace.ts';
import { NotNow } from '../../watch/domain/not-now.ts';
import type { AskOptions, Registration, Shipment } from '../../watch/domain/shipment.ts';
import type { CallLedgers } from '../call-ledgers.ts';
import type { CallPurpose, CallVerdict } from '../domain/call-ledger.ts';
import { type Connection, connectionLabels, shownId } from '../domain/connection.ts';
import { askedParcelOf } from './asked-parcel.ts';
import { CallQueue } from './call-queue.ts';
import { carrierUnavailable, FAILED_RETRY_MS } from './carrier-unavailable.ts';
import { Circuit } from './circuit.ts';
import { ConnectionLimits, MAX_WAIT_MS, PushMemory } from './connection-limits.ts';
import { type Fresh, gapOf, type QueryItem, queryAskable } from './questions.ts';
import { Registrations } from './registrations.ts';
import { type CallKind, SourceTelemetry } from './source-telemetry.ts';

/** What connected sources share. */
export interface ConnectedSourceOptions {
  readonly ledgers: CallLedgers;
  /** The details that were reported with the dispatch; none when there are none, or they cannot be opened. */
  readonly detailsOf: (shipment: Shipment) => ShipmentDetails;
  /** Deadline of one call. */
  readonly timeoutMs: number;
  /** How long a vendor that fails is left alone, milliseconds; default 10 s. */
  readonly resetMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: ServiceTelemetry;
}

/** What a source says of a parcel. */
export type ParcelReport =
  | {
      readonly kind: 'trace';
      readonly trace: Trace;
      /** Null when the source has lost it; undefined when there is none to keep. */
      readonly registration: Registration | null | undefined;
      /** True when a push should have brought whatever is new in the trace. */
      readonly isPushExpected: boolean;
    }
  /** The source does not take the number: another one may. */
  | { readonly kind: 'rejected'; readonly reason: string };

const CONNECTIONS_PER_SOURCE = 8;
const DAY_MS = 86_400_000;
const purposeOf = (purpose: AskOptions['purpose']): CallPurpose => (purpose === 'query' ? 'query' : 'background');

/** A vendor as one connection reaches it: calls are batched, counted, bounded in time, and left out while the vendor fails. */
export class ConnectedSource {
  readonly source: TrackingSource;
  readonly telemetry: SourceTelemetry;
  readonly #connection: Connection;
  readonly #options: ConnectedSourceOptions;
  readonly #agent: Agent;
  readonly #pushMemory: PushMemory;
  readonly #limits: ConnectionLimits;
  readonly #runOf: (signal: AbortSignal) => SourceRun;
  readonly #circuit: Circuit;
  readonly #registering: Circuit;
  readonly #queries: CallQueue<QueryItem, QueryResult | Fresh>;
  readonly #registered: Registrations;

  constructor(source: TrackingSource, connection: Connection, options: ConnectedSourceOptions) {
    const { timeoutMs, resetMs, logger, telemetry, clock } = options;
    this.source = source;
    this.#pushMemory = new PushMemory(connection.connectionId, options);
    this.#limits = new ConnectionLimits(source, connection.connectionId, options);
    this.#connection = connection;
    this.#options = options;
    this.#agent = new Agent({
      connections: CONNECTIONS_PER_SOURCE,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const baseUrl = connection.baseUrl ?? source.baseUrl;
    const { credentials } = connection;
    this.#runOf = connectSource(source, {
      baseUrl,
      credentials,
      dispatcher: this.#agent,
      nextCall: () => this.#limits.nextCall('background'),
    });
    const { connection: name } = connectionLabels(connection);
    this.telemetry = new SourceTelemetry(telemetry, connection);
    const bounds = { name, url: baseUrl, timeoutMs, resetMs, logger, telemetry, isHarmless: isLimit };
    this.#circuit = new Circuit(bounds);
    // Queries go on where a registration that is for pushes alone fails: an account may have no pushes.
    this.#registering = source.registersFor === 'pushes' ? new Circuit({ ...bounds, part: 'registrations' }) : this.#circuit;
    const take =
      (circuit: Circuit, kind: CallKind) =>
      async (purpose: CallPurpose): Promise<CallVerdict> => {
        // Behind an open breaker no call is made, and none is counted.
        circuit.assertClosed();
        return this.#limits.take(purpose, kind);
      };
    const queue = { now: (): number => clock.now(), maxWaitMs: MAX_WAIT_MS };
    const { numbersPerQuery, numbersPerRegistration } = source.limits;
    this.#queries = new CallQueue({
      ...queue,
      perCall: numbersPerQuery,
      take: take(this.#circuit, 'query'),
      call: (items) =>
        queryAskable(items, (parcels) =>
          // A call for several belongs to the trace of the first one.
          this.#run(this.#circuit, 'query', parcels.length, (run) => source.query(run, parcels), items[0]?.traceparent),
        ),
    });
    const registrations: CallQueue<AskedParcel, RegisterResult> = new CallQueue({
      ...queue,
      perCall: numbersPerRegistration,
      take: take(this.#registering, 'register'),
      call: (parcels) => this.#run(this.#registering, 'register', parcels.length, (run) => source.register(run, parcels)),
    });
    this.#registered = new Registrations({
      source,
      connectionId: connection.connectionId,
      clock,
      register: (shipment, purpose) =>
        registrations.ask({ purpose: purposeOf(purpose), holder: shipment.tenantId, item: this.#asked(shipment, null) }),
    });
  }

  /** @throws AppError 50001 when the vendor fails; NotNow when our own limits forbid the call */
  async ask(shipment: Shipment, options: AskOptions): Promise<ParcelReport> {
    try {
      const report = await this.#ask(shipment, options);
      if (report.kind === 'trace') return report;
      return { ...report, reason: withoutCredentials(report.reason, this.#connection.credentials) };
    } catch (error) {
      this.telemetry.waits(error);
      throw error;
    }
  }

  async #ask(shipment: Shipment, options: AskOptions): Promise<ParcelReport> {
    const now = this.#options.clock.now();
    const restMs = await this.#restOf(shipment, options.purpose);
    if (now - shipment.askedAt < restMs) {
      // It was asked in vain: nothing is known that could be shown until it may be asked again.
      if (options.purpose === 'query' && shipment.reportedAt === 0) throw carrierUnavailable(shipment.askedAt + restMs - now);
      throw new NotNow(shipment.askedAt + restMs, 'the source reported the parcel a moment ago', { maySkip: false });
    }
    const { takes } = this.source;
    if (takes?.pattern.test(shipment.trackingNumber) === false)
      return { kind: 'rejected', reason: `The source takes numbers of ${takes.words}` };
    const needsRegistration = this.source.registersFor === 'queries';
    if (needsRegistration && !shipment.isWatched && this.#registered.known(shipment) === null) {
      throw new NotNow(now + DAY_MS, 'the parcel is not watched any more, so it is not registered again', { maySkip: false });
    }
    let registered = await this.#registered.of(shipment, options);
    if (registered.kind === 'rejected') return registered;
    let result = await this.#query(shipment, registered.registration, options);
    if (result.kind === 'not registered' && needsRegistration && shipment.isWatched) {
      registered = await this.#registered.renew(shipment, options);
      if (registered.kind === 'rejected') return registered;
      result = await this.#query(shipment, registered.registration, options);
    }
    if (result.kind === 'rejected') return result;
    // What a parcel's first response holds may be older than its registration: no push brings that.
    const isPushExpected = options.purpose === 'poll' && shipment.askedAt > 0 && this.#pushMemory.hasPushed;
    if (result.kind === 'not registered') return { kind: 'trace', trace: EMPTY_TRACE, registration: null, isPushExpected };
    const { registration } = registered;
    const item = this.#asked(shipment, registration?.reference ?? null);
    const trace = result.kind === 'trace' ? this.#translate(result.raw, item) : EMPTY_TRACE;
    return { kind: 'trace', trace, registration: registration ?? undefined, isPushExpected };
  }

  /** Least time between two questions for a parcel: a day for a poll of one that the vendor pushes. */
  async #restOf(shipment: Shipment, purpose: AskOptions['purpose']): Promise<number> {
    const gapMs = gapOf(this.source);
    const isPushed = purpose === 'poll' && this.#registered.isPushed(shipment) && (await this.#pushMemory.pushes());
    return isPushed ? Math.max(gapMs, DAY_MS) : gapMs;
  }

  async #query(shipment: Shipment, registration: Registration | null, { purpose, note, traceparent }: AskOptions): Promise<QueryResult> {
    const gapMs = gapOf(this.source);
    const isLimited = this.source.limits.fetchesPerParcelPerDay !== null;
    const item = {
      parcel: this.#asked(shipment, registration?.reference ?? null),
      note: isLimited ? () => note(gapMs) : null,
      traceparent,
    };
    const result = await this.#queries.ask({ purpose: purposeOf(purpose), holder: shipment.tenantId, item });
    if (result.kind !== 'fresh') return result;
    throw new NotNow(this.#options.clock.now() + gapMs, 'another process has just asked for the parcel', { maySkip: false });
  }

  /** Notes that the vendor has pushed. @throws AppError 50301 when the store is out */
  notePush(): Promise<void> {
    return this.#pushMemory.note();
  }

  /**
   * Makes the cheapest call that shows whether the credentials are right, and counts it once.
   * @throws SourceRefusal, with NotNow as its cause when our own limits forbid the call; AppError 50001 when none is made
   */
  async test(): Promise<void> {
    // Behind an open breaker no call is made, and none is counted.
    this.#circuit.assertClosed();
    await this.#limits.nextTest();
    try {
      await this.telemetry.call('other', 0, () => this.#circuit.run((signal) => this.source.test(this.#runOf(signal))));
    } catch (error) {
      throw refusalIn(error) ?? error;
    }
  }

  /** Ends a registration. @throws AppError 50001, SourceRefusal, NotNow */
  async unregister(shipment: Shipment, { reference }: Registration): Promise<void> {
    if (this.source.registersFor === null) return;
    await this.#limits.nextCall('background');
    await this.#run(this.#circuit, 'other', 1, (run) => this.source.unregister(run, this.#asked(shipment, reference)));
  }

  /** Makes a call that a push asks for. @throws AppError 50001, SourceRefusal, NotNow */
  async confirm(call: (run: SourceRun) => Promise<void>): Promise<void> {
    await this.#limits.nextCall('background');
    await this.#run(this.#circuit, 'other', 0, call);
  }

  async close(): Promise<void> {
    for (const circuit of [this.#circuit, this.#registering]) circuit.close();
    await this.#agent.destroy();
  }

  #asked(shipment: Shipment, reference: string | null): AskedParcel {
    return askedParcelOf(shipment, reference, this.#options.detailsOf(shipment));
  }

  #translate(raw: unknown, parcel: AskedParcel): Trace {
    try {
      return this.source.translate(raw, parcel);
    } catch (cause) {
      this.telemetry.unreadable();
      throw carrierUnavailable(FAILED_RETRY_MS, new SourceRefusal('wrong response', 'The response cannot be read', { cause }));
    }
  }

  /** Makes a call behind the breaker, and keeps to the limits that the vendor names in a refusal. */
  async #run<T>(circuit: Circuit, kind: CallKind, numbers: number, call: (run: SourceRun) => Promise<T>, traceparent?: string): Promise<T> {
    try {
      return await this.telemetry.call(kind, numbers, () => circuit.run((signal) => call(this.#runOf(signal)), traceparent));
    } catch (error) {
      const refusal = refusalIn(error);
      // Our own limits have refused a further call: the vendor has said nothing that would hold for other calls.
      if (refusal?.cause instanceof NotNow) throw refusal.cause;
      if (refusal === undefined) throw error;
      const connection_id = shownId(this.#connection.connectionId);
      this.#options.logger.warn(
        { connection_id, source: this.source.name, reason: refusal.reason, err: refusal },
        'A call of a source failed',
      );
      if (isLimit(refusal)) throw new NotNow(await this.#limits.keepTo(refusal, kind), refusal.reason);
      throw error;
    }
  }
}
