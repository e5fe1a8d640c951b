import type { ShipmentDetails } from '@parcelway/contracts/shipment-details';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { Agent } from 'undici';
import type { AskedParcel, QueryResult, RegisterResult, SourceRun, TrackingSource } from '../../sources/source.ts';
import { connectSource, MAX_RESPONSE_BYTES, withoutCredentials } from '../../sources/source-http.ts';
import { isLimit, refusalIn, SourceRefusal } from '../../sources/source-refusal.ts';
import { nodesOfParcel, type Trace } from '../../sources/trace.ts';
import type { Outcome } from '../../watch/domain/decide.ts';
import type { ParcelFact } from '../../watch/domain/facts.ts';
import type { CarrierNode } from '../../watch/domain/node.ts';
import type { Registration, Shipment } from '../../watch/domain/shipment.ts';
import { type AskOptions, NotNow, type SourceResponse } from '../../watch/domain/sources.ts';
import type { CallLedgers } from '../call-ledgers.ts';
import type { CallKind, CallPurpose, CallVerdict } from '../domain/call-ledger.ts';
import { type Connection, connectionLabels, shownId } from '../domain/connection.ts';
import { CallQueue, type QueuedItem } from './call-queue.ts';
import { Circuit, carrierUnavailable, FAILED_RETRY_MS } from './circuit.ts';
import { ConnectionLimits, MAX_WAIT_MS } from './connection-limits.ts';
import { SourceTelemetry } from './source-telemetry.ts';

/** The source does not take a number, for the reason in the message: another one may. */
export class NumberRejected extends Error {}

/** @param reason of the source, which may repeat a credential */
function rejected(reason: string, { credentials }: Connection): NumberRejected {
  return new NumberRejected(withoutCredentials(reason, credentials));
}

const DAY_MS = 86_400_000;

interface RegistrationsOptions {
  readonly source: Pick<TrackingSource, 'registersFor' | 'registrationLastsMs'>;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly record: (facts: readonly ParcelFact[]) => Promise<unknown>;
  /** A shipment as the source registers it. */
  readonly asked: (shipment: Shipment) => AskedParcel;
  /** Registers a parcel in a call with others. @throws AppError 50001, NotNow */
  readonly ask: (queued: QueuedItem<AskedParcel>) => Promise<RegisterResult>;
}

/** The registrations of parcels with one connection. */
class Registrations {
  readonly #options: RegistrationsOptions;

  constructor(options: RegistrationsOptions) {
    this.#options = options;
  }

  /** The registration of a parcel; null when there is none, or the source has forgotten it by now. */
  known({ registration }: Shipment): Registration | null {
    const { source, connection, clock } = this.#options;
    if (registration?.connectionId !== connection.connectionId) return null;
    // One that the source has not taken is tried again a day later.
    const lastsMs = registration.isTaken ? (source.registrationLastsMs ?? Number.POSITIVE_INFINITY) : DAY_MS;
    return clock.now() - registration.at < lastsMs ? registration : null;
  }

  /** Registers a parcel that is not registered. @throws as {@link register} */
  async of(shipment: Shipment, purpose: CallPurpose): Promise<Registration | null> {
    const { source, clock } = this.#options;
    const known = this.known(shipment);
    if (known !== null) return known;
    if (source.registersFor === 'queries' && shipment.nextPollAt === null) {
      const tomorrow = clock.now() + DAY_MS;
      throw new NotNow(tomorrow, 'the parcel is not watched any more, so it is not registered again', { maySkip: false });
    }
    return this.register(shipment, purpose);
  }

  /**
   * Registers a parcel, whatever is known of it.
   * @returns null when there is no registration now, and queries work all the same
   * @throws AppError 50001, NotNow, NumberRejected where queries need the registration
   */
  async register(shipment: Shipment, purpose: CallPurpose): Promise<Registration | null> {
    const { source, connection, clock, record, ask, asked } = this.#options;
    const isForPushes = source.registersFor === 'pushes';
    try {
      const result = await ask({ purpose, holder: shipment.tenantId, item: asked(shipment) });
      if (result.kind === 'rejected' && !isForPushes) throw rejected(result.reason, connection);
      const isTaken = result.kind === 'registered';
      const { connectionId } = connection;
      const registration = { connectionId, reference: isTaken ? result.reference : null, at: clock.now(), isTaken };
      await record([{ type: 'registered', shipment, registration }]);
      return registration;
    } catch (error) {
      const isRefused = error instanceof NotNow || (error instanceof AppError && error.code === '50001');
      if (isForPushes && isRefused) return null;
      throw error;
    }
  }
}

/** What connected sources share. */
export interface ConnectedSourceOptions {
  readonly ledgers: CallLedgers;
  /** Records what is asked of sources, and what they register, before and between their calls. */
  readonly record: (facts: readonly ParcelFact[]) => Promise<readonly Outcome[]>;
  /** The details that were reported with the dispatch; none when there are none, or they cannot be opened. */
  readonly detailsOf: (shipment: Shipment) => ShipmentDetails;
  /** Hears of the codes in a response that the source has no place for. */
  readonly noteUnknown: (source: string, codes: readonly string[]) => void;
  /** Deadline of one call. */
  readonly timeoutMs: number;
  /** How long a vendor that fails is left alone, milliseconds; default 10 s. */
  readonly resetMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: ServiceTelemetry;
}

/** A parcel of a query. */
interface QueryItem {
  readonly shipment: Shipment;
  readonly parcel: AskedParcel;
  readonly traceparent?: string | undefined;
}

const CONNECTIONS_PER_SOURCE = 8;
/** A parcel whose source reported it this short a time ago is not asked for. */
const FRESH_MS = 60_000;
const purposeOf = (purpose: AskOptions['purpose']): CallPurpose => (purpose === 'query' ? 'query' : 'background');

/** Least time between two questions for a parcel, milliseconds. */
function gapOf({ limits: { fetchesPerParcelPerDay: fetches }, freshForMs = FRESH_MS }: TrackingSource): number {
  return Math.max(freshForMs, fetches === null ? 0 : Math.ceil(DAY_MS / fetches));
}

/** A vendor as one connection reaches it: calls are batched, counted, bounded in time, and left out while the vendor fails. */
export class ConnectedSource {
  readonly source: TrackingSource;
  readonly #connection: Connection;
  readonly #options: ConnectedSourceOptions;
  readonly #telemetry: SourceTelemetry;
  readonly #agent: Agent;
  readonly #limits: ConnectionLimits;
  readonly #runOf: (signal: AbortSignal) => SourceRun;
  readonly #circuit: Circuit;
  readonly #registering: Circuit;
  /** Null for a parcel that another process has just asked for. */
  readonly #queries: CallQueue<QueryItem, QueryResult | null>;
  readonly #registrations: Registrations;

  constructor(source: TrackingSource, connection: Connection, options: ConnectedSourceOptions) {
    const { timeoutMs, resetMs, logger, telemetry, clock } = options;
    this.source = source;
    this.#connection = connection;
    this.#options = options;
    this.#telemetry = new SourceTelemetry(telemetry, connection);
    this.#limits = new ConnectionLimits({ ...options, source, connectionId: connection.connectionId });
    this.#agent = new Agent({
      connections: CONNECTIONS_PER_SOURCE,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
    const { credentials } = connection;
    // A source without an address of its own has it in the credentials.
    const baseUrl = source.baseUrl === '' ? '' : (connection.baseUrl ?? source.baseUrl);
    const nextCall = (): Promise<void> => this.#limits.nextCall('background');
    this.#runOf = connectSource(source, { baseUrl, credentials, dispatcher: this.#agent, nextCall });
    const bounds = {
      name: connectionLabels(connection).connection,
      url: baseUrl,
      timeoutMs,
      resetMs,
      logger,
      telemetry,
      isHarmless: isLimit,
    };
    this.#circuit = new Circuit(bounds);
    // Queries go on where a registration that is for pushes alone fails: an account may have no pushes.
    this.#registering = source.registersFor === 'pushes' ? new Circuit({ ...bounds, part: 'registrations' }) : this.#circuit;
    const queue = { now: (): number => clock.now(), maxWaitMs: MAX_WAIT_MS };
    this.#queries = new CallQueue({
      ...queue,
      perCall: source.limits.numbersPerQuery,
      take: (purpose) => this.#take(this.#circuit, purpose, 'query'),
      call: (items) => this.#queryAskable(items),
    });
    const registering = new CallQueue<AskedParcel, RegisterResult>({
      ...queue,
      perCall: source.limits.numbersPerRegistration,
      take: (purpose) => this.#take(this.#registering, purpose, 'register'),
      call: (parcels) => this.#run(this.#registering, 'register', parcels.length, (run) => source.register(run, parcels)),
    });
    const { record } = options;
    const asked = (shipment: Shipment): AskedParcel => this.#asked(shipment, null);
    this.#registrations = new Registrations({ source, connection, clock, record, asked, ask: (queued) => registering.ask(queued) });
  }

  /** @throws AppError 50001 when the vendor fails; NotNow when our own limits forbid the call; NumberRejected */
  async ask(shipment: Shipment, options: AskOptions): Promise<SourceResponse> {
    try {
      return await this.#ask(shipment, options);
    } catch (error) {
      this.#telemetry.waits(error);
      throw error;
    }
  }

  async #ask(shipment: Shipment, options: AskOptions): Promise<SourceResponse> {
    const { takes, registersFor, freshForMs } = this.source;
    await this.#assertAskable(shipment, options.purpose);
    if (takes?.pattern.test(shipment.trackingNumber) === false) throw new NumberRejected(`The source takes numbers of ${takes.words}`);
    const purpose = purposeOf(options.purpose);
    let registration = registersFor === null ? null : await this.#registrations.of(shipment, purpose);
    let result = await this.#query(shipment, registration, options);
    if (result.kind === 'not registered' && registersFor === 'queries' && shipment.nextPollAt !== null) {
      registration = await this.#registrations.register(shipment, purpose);
      result = await this.#query(shipment, registration, options);
    }
    if (result.kind === 'rejected') throw rejected(result.reason, this.#connection);
    const nodes = result.kind === 'trace' ? this.#nodesOfResponse(result.raw, shipment, registration) : [];
    if (freshForMs === 0) return { nodes };
    // What a parcel's first response holds may be older than its registration: no push brings that.
    const isPushExpected = options.purpose === 'poll' && shipment.askedAt > 0 && this.#limits.hasPushed;
    const onNews = isPushExpected ? (): void => this.#telemetry.missedPush() : undefined;
    return { nodes, report: { registration: result.kind === 'not registered' ? null : (registration ?? undefined) }, onNews };
  }

  /**
   * Between two questions for a parcel lies a gap, and a day for a poll of one that the vendor pushes.
   * @throws NotNow within it; AppError 50001 for a query of a parcel that was asked for in vain
   */
  async #assertAskable(shipment: Shipment, purpose: AskOptions['purpose']): Promise<void> {
    const now = this.#options.clock.now();
    const gapMs = gapOf(this.source);
    const isPushed = purpose === 'poll' && this.#registrations.known(shipment)?.isTaken === true && (await this.#limits.pushes());
    const until = shipment.askedAt + (isPushed ? Math.max(gapMs, DAY_MS) : gapMs);
    if (now >= until) return;
    // Nothing is known that could be shown until it may be asked again.
    if (purpose === 'query' && shipment.reportedAt === 0) throw carrierUnavailable(until - now);
    throw new NotNow(until, 'the source reported the parcel a moment ago', { maySkip: false });
  }

  async #query(shipment: Shipment, registration: Registration | null, { purpose, traceparent }: AskOptions): Promise<QueryResult> {
    const item = { shipment, parcel: this.#asked(shipment, registration), traceparent };
    const result = await this.#queries.ask({ purpose: purposeOf(purpose), holder: shipment.tenantId, item });
    if (result !== null) return result;
    const until = this.#options.clock.now() + gapOf(this.source);
    throw new NotNow(until, 'another process has just asked for the parcel', { maySkip: false });
  }

  /** Makes one call for those of the parcels that may be asked for now; none when there is none. */
  async #queryAskable(items: readonly QueryItem[]): Promise<readonly (QueryResult | null)[]> {
    const mayAsk = await this.#noteQuestions(items.map(({ shipment }) => shipment));
    const parcels = items.flatMap(({ parcel }, index) => (mayAsk[index] ? [parcel] : []));
    if (parcels.length === 0) return items.map(() => null);
    // A call for several belongs to the trace of the first one.
    const { traceparent } = items[0] as QueryItem;
    const query = (run: SourceRun) => this.source.query(run, parcels);
    const results = [...(await this.#run(this.#circuit, 'query', parcels.length, query, traceparent))];
    if (results.length !== parcels.length) throw new Error(`The call has ${results.length} results for ${parcels.length} parcels`);
    return mayAsk.map((isAsked) => (isAsked ? (results.shift() as QueryResult) : null));
  }

  /** Notes the questions of a call, where a parcel may be asked for only so often. @returns false for a parcel that another process has just asked for */
  async #noteQuestions(shipments: readonly Shipment[]): Promise<readonly boolean[]> {
    if (this.source.limits.fetchesPerParcelPerDay === null) return shipments.map(() => true);
    const question = { type: 'asked', now: this.#options.clock.now(), gapMs: gapOf(this.source) } as const;
    const outcomes = await this.#options.record(shipments.map((shipment) => ({ ...question, shipment })));
    return outcomes.map(({ isChanged }) => isChanged);
  }

  /** Notes that the vendor has pushed. @throws AppError 50301 when the store is out */
  notePush(): Promise<void> {
    return this.#limits.notePush();
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
      await this.#telemetry.call('other', 0, () => this.#circuit.run((signal) => this.source.test(this.#runOf(signal))));
    } catch (error) {
      throw refusalIn(error) ?? error;
    }
  }

  /** Ends a registration. @throws AppError 50001, SourceRefusal, NotNow */
  async unregister(shipment: Shipment, registration: Registration): Promise<void> {
    if (this.source.unregister === undefined) return;
    await this.#limits.nextCall('background');
    await this.#run(this.#circuit, 'other', 1, async (run) => this.source.unregister?.(run, this.#asked(shipment, registration)));
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

  /** What a response or a push says of a parcel. @throws Error with the reason when `raw` is nothing of the vendor's */
  read(raw: unknown, shipment: Shipment, registration: Registration | null): Trace {
    return this.source.translate(raw, this.#asked(shipment, registration));
  }

  /** The nodes of a parcel in what {@link read} gives. */
  nodesOf(trace: Trace, shipment: Shipment): readonly CarrierNode[] {
    this.#options.noteUnknown(this.source.name, trace.unknownCodes);
    const found = nodesOfParcel(trace, shipment.dispatchedAt, this.#options.clock.now());
    this.#telemetry.trace(trace, found);
    return found.nodes;
  }

  #nodesOfResponse(raw: unknown, shipment: Shipment, registration: Registration | null): readonly CarrierNode[] {
    let trace: Trace;
    try {
      trace = this.read(raw, shipment, registration);
    } catch (cause) {
      this.#telemetry.unreadable();
      throw carrierUnavailable(FAILED_RETRY_MS, new SourceRefusal('wrong response', 'The response cannot be read', { cause }));
    }
    return this.nodesOf(trace, shipment);
  }

  /** A shipment as the vendor is asked for it. */
  #asked(shipment: Shipment, registration: Registration | null): AskedParcel {
    const { trackingNumber, carrierCode, dispatchedAt } = shipment;
    const details = this.#options.detailsOf(shipment);
    return {
      trackingNumber,
      carrierCode,
      dispatchedAt,
      reference: registration?.reference ?? null,
      destinationCountry: details.destination_country,
      destinationPostcode: details.destination_postcode,
      phoneLast4: details.phone_last4,
      shipDate: details.ship_date,
      carrierService: details.carrier_service,
    };
  }

  async #take(circuit: Circuit, purpose: CallPurpose, kind: CallKind): Promise<CallVerdict> {
    // Behind an open breaker no call is made, and none is counted.
    circuit.assertClosed();
    return this.#limits.take(purpose, kind);
  }

  /** Makes a call behind the breaker, and keeps to the limits that the vendor names in a refusal. */
  async #run<T>(circuit: Circuit, kind: CallKind, numbers: number, call: (run: SourceRun) => Promise<T>, traceparent?: string): Promise<T> {
    try {
      return await this.#telemetry.call(kind, numbers, () => circuit.run((signal) => call(this.#runOf(signal)), traceparent));
    } catch (error) {
      const refusal = refusalIn(error);
      // Our own limits have refused a further call: the vendor has said nothing that would hold for other calls.
      if (refusal?.cause instanceof NotNow) throw refusal.cause;
      if (refusal === undefined) throw error;
      const connection_id = shownId(this.#connection.connectionId);
      const fields = { connection_id, source: this.source.name, reason: refusal.reason, err: refusal };
      this.#options.logger.warn(fields, 'A call of a source failed');
      if (isLimit(refusal)) throw new NotNow(await this.#limits.keepTo(refusal, kind), refusal.reason);
      throw error;
    }
  }
}
