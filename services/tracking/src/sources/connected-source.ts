import { setTimeout as sleep } from 'node:timers/promises';
import type { ShipmentDetails } from '@parcelway/contracts/shipment-details';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { Agent } from 'undici';
import { blockCalls, type CallPurpose, type CallVerdict, takeCall } from '../connections/domain/call-ledger.ts';
import type { Connection } from '../connections/domain/connection.ts';
import { connectionLabels } from '../connections/metric-labels.ts';
import type { CallLedgers } from '../connections/ports.ts';
import { NotNow } from '../domain/not-now.ts';
import type { Registration, Shipment } from '../domain/shipment.ts';
import type { AskOptions } from '../ports.ts';
import { askedParcelOf } from './asked-parcel.ts';
import { CallQueue } from './call-queue.ts';
import { watchCarrier } from './carrier-telemetry.ts';
import { carrierUnavailable, FAILED_RETRY_MS } from './carrier-unavailable.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { PushMemory } from './push-memory.ts';
import type { AskedParcel, ClientOptions, QueryResult, RegisterResult, SourceClient, TrackingSource } from './source.ts';
import { isLimit, patienceOf, refusalIn, SourceRefusal } from './source-refusal.ts';
import { type CallKind, createSourceTelemetry, type SourceTelemetry } from './source-telemetry.ts';
import { EMPTY_TRACE, type Trace } from './trace.ts';

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

/** A vendor as one connection reaches it: calls are batched, counted, bounded in time, and left out while the vendor fails. */
export interface ConnectedSource {
  readonly source: TrackingSource;
  readonly telemetry: SourceTelemetry;
  /** @throws AppError 50001 when the vendor fails; NotNow when our own limits forbid the call */
  ask(shipment: Shipment, options: AskOptions): Promise<ParcelReport>;
  /** Notes that the vendor has pushed. @throws AppError 50301 when the store is out */
  notePush(): Promise<void>;
  /** Ends a registration. @throws AppError 50001, SourceRefusal, NotNow */
  unregister(shipment: Shipment, registration: Registration): Promise<void>;
  /** Makes a call that a push asks for. @throws AppError 50001, SourceRefusal, NotNow */
  confirm(call: (options: ClientOptions, signal: AbortSignal) => Promise<void>): Promise<void>;
  /** The cheapest call that shows whether the credentials are right. @throws SourceRefusal, AppError 50001 */
  test(): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS_PER_SOURCE = 8;
/** How long a call may wait for its turn. */
const MAX_WAIT_MS: Readonly<Record<CallPurpose, number>> = { query: 2000, background: 3000 };
/** A parcel whose source reported it this short a time ago is not asked for. */
const FRESH_MS = 60_000;
const DAY_MS = 86_400_000;
/** Least time between two questions for a parcel. */
function gapOf({ limits, freshForMs = FRESH_MS }: TrackingSource): number {
  const { fetchesPerParcelPerDay } = limits;
  return Math.max(freshForMs, fetchesPerParcelPerDay === null ? 0 : Math.ceil(DAY_MS / fetchesPerParcelPerDay));
}

class Connected implements ConnectedSource {
  readonly source: TrackingSource;
  readonly telemetry: SourceTelemetry;
  readonly #connection: Connection;
  readonly #options: ConnectedSourceOptions;
  readonly #agent: Agent;
  readonly #pushMemory: PushMemory;
  readonly #clientOptions: ClientOptions;
  readonly #client: SourceClient;
  readonly #circuit: Circuit;
  /** Of registrations. */
  readonly #registering: Circuit;
  readonly #queries: CallQueue<AskedParcel, QueryResult>;
  readonly #registrations: CallQueue<AskedParcel, RegisterResult>;

  constructor(source: TrackingSource, connection: Connection, options: ConnectedSourceOptions) {
    const { timeoutMs, resetMs, logger, telemetry, clock } = options;
    this.source = source;
    this.#pushMemory = new PushMemory(connection.connectionId, options);
    this.#connection = connection;
    this.#options = options;
    this.#agent = new Agent({
      connections: CONNECTIONS_PER_SOURCE,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const baseUrl = connection.baseUrl ?? source.baseUrl;
    this.#clientOptions = {
      baseUrl,
      credentials: connection.credentials,
      dispatcher: this.#agent,
      nextCall: () => this.#nextCall(),
    };
    this.#client = source.connect(this.#clientOptions);
    const { connection: name } = connectionLabels(connection);
    this.telemetry = createSourceTelemetry(telemetry, connection);
    const watched = watchCarrier(telemetry, name, { url: baseUrl });
    const bounds = { timeoutMs, resetMs, logger, isHarmless: isLimit };
    this.#circuit = createCircuit({ ...bounds, name, watched });
    // Queries go on where a registration that is for pushes alone fails: an account may have no pushes.
    this.#registering =
      source.registersFor === 'pushes'
        ? createCircuit({ ...bounds, name: `${name} registrations`, watched: { ...watched, setOpen: () => undefined } })
        : this.#circuit;
    const take = (purpose: CallPurpose): Promise<CallVerdict> => this.#take(purpose);
    const now = (): number => clock.now();
    const { numbersPerQuery, numbersPerRegistration } = source.limits;
    this.#queries = new CallQueue({
      perCall: numbersPerQuery,
      take,
      now,
      call: (parcels) => this.#run(this.#circuit, 'query', parcels.length, (signal) => this.#client.query(parcels, signal)),
    });
    this.#registrations = new CallQueue({
      perCall: numbersPerRegistration,
      take,
      now,
      call: (parcels) => this.#run(this.#registering, 'register', parcels.length, (signal) => this.#client.register(parcels, signal)),
    });
  }

  async ask(shipment: Shipment, options: AskOptions): Promise<ParcelReport> {
    try {
      return await this.#ask(shipment, options);
    } catch (error) {
      this.telemetry.waits(error);
      throw error;
    }
  }

  async #ask(shipment: Shipment, options: AskOptions): Promise<ParcelReport> {
    const now = this.#options.clock.now();
    const gapMs = gapOf(this.source);
    const restMs =
      options.purpose === 'poll' && this.source.pushes !== null && (await this.#pushMemory.pushes()) ? Math.max(gapMs, DAY_MS) : gapMs;
    if (now - shipment.askedAt < restMs) {
      throw new NotNow(shipment.askedAt + restMs, 'the source reported the parcel a moment ago', { maySkip: false });
    }
    const queued = { purpose: options.purpose === 'query' ? ('query' as const) : ('background' as const), holder: shipment.tenantId };
    const registered = await this.#registrationOf(shipment, queued);
    if (registered.kind === 'rejected') return registered;
    if (this.source.limits.fetchesPerParcelPerDay !== null && !(await options.note(gapMs))) {
      throw new NotNow(now + gapMs, 'another process has just asked for the parcel', { maySkip: false });
    }
    const { registration } = registered;
    const item = this.#asked(shipment, registration?.reference ?? null);
    const result = await this.#queries.ask({ ...queued, item });
    if (result.kind === 'rejected') return result;
    // What a parcel's first response holds may be older than its registration: no push brings that.
    const isPushExpected = options.purpose === 'poll' && shipment.askedAt > 0 && this.#pushMemory.hasPushed;
    // A registration that the vendor has lost is made again the next time.
    if (result.kind === 'not registered') return { kind: 'trace', trace: EMPTY_TRACE, registration: null, isPushExpected };
    const trace = result.kind === 'trace' ? this.#translate(result.raw, item) : EMPTY_TRACE;
    return { kind: 'trace', trace, registration: registration ?? undefined, isPushExpected };
  }

  notePush(): Promise<void> {
    return this.#pushMemory.note();
  }

  async test(): Promise<void> {
    await this.#nextCall();
    try {
      await this.telemetry.call('other', 0, () => this.#circuit.run((signal) => this.#client.test(signal)));
    } catch (error) {
      throw refusalIn(error) ?? error;
    }
  }

  async unregister(shipment: Shipment, { reference }: Registration): Promise<void> {
    await this.#nextCall();
    await this.#run(this.#circuit, 'other', 1, (signal) => this.#client.unregister([this.#asked(shipment, reference)], signal));
  }

  async confirm(call: (options: ClientOptions, signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.#nextCall();
    await this.#run(this.#circuit, 'other', 0, (signal) => call(this.#clientOptions, signal));
  }

  async close(): Promise<void> {
    for (const circuit of [this.#circuit, this.#registering]) circuit.close();
    await this.#agent.destroy();
  }

  /** Registers a parcel that is not registered with this connection. */
  async #registrationOf(
    shipment: Shipment,
    queued: { readonly purpose: CallPurpose; readonly holder: string },
  ): Promise<{ readonly kind: 'registered'; readonly registration: Registration | null } | Extract<RegisterResult, { kind: 'rejected' }>> {
    const { registersFor } = this.source;
    const known = this.#knownRegistration(shipment);
    if (registersFor === null || known !== null) return { kind: 'registered', registration: known };
    try {
      const result = await this.#registrations.ask({ ...queued, item: this.#asked(shipment, null) });
      const at = this.#options.clock.now();
      const { connectionId } = this.#connection;
      if (result.kind === 'registered') return { kind: 'registered', registration: { connectionId, reference: result.reference, at } };
      // One for pushes alone is not tried again until another time: this counts as one.
      return registersFor === 'pushes' ? { kind: 'registered', registration: { connectionId, reference: null, at } } : result;
    } catch (error) {
      if (registersFor === 'pushes' && (error instanceof NotNow || (error instanceof AppError && error.code === '50001')))
        return { kind: 'registered', registration: null };
      throw error;
    }
  }

  /** The registration of a parcel with this connection; null when there is none, or the vendor has forgotten it by now. */
  #knownRegistration({ registration }: Shipment): Registration | null {
    const { registrationLastsMs = Number.POSITIVE_INFINITY } = this.source;
    if (registration?.connectionId !== this.#connection.connectionId) return null;
    return this.#options.clock.now() - registration.at < registrationLastsMs ? registration : null;
  }

  /** Waits for the turn of one call more. */
  async #nextCall(): Promise<void> {
    const verdict = await this.#take('background');
    const now = this.#options.clock.now();
    if (!verdict.isGranted) {
      const cause = new NotNow(verdict.until, verdict.reason);
      throw new SourceRefusal('throttled', 'Our own limits allow no further call', { retryAfterMs: verdict.until - now, cause });
    }
    if (verdict.at > now) await sleep(verdict.at - now);
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

  #take(purpose: CallPurpose): Promise<CallVerdict> {
    const { ledgers, clock } = this.#options;
    const maxWaitMs = MAX_WAIT_MS[purpose];
    return ledgers.take(this.#connection.connectionId, (ledger) =>
      takeCall(ledger, this.source.limits, { now: clock.now(), purpose, maxWaitMs }),
    );
  }

  /** Makes a call behind the breaker, and keeps to the limits that the vendor names in a refusal. */
  async #run<T>(circuit: Circuit, kind: CallKind, numbers: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await this.telemetry.call(kind, numbers, () => circuit.run(call));
    } catch (error) {
      const refusal = refusalIn(error);
      // Our own limits have refused a further call: the vendor has said nothing that would hold for other calls.
      if (refusal?.cause instanceof NotNow) throw refusal.cause;
      if (refusal !== undefined) await this.#noteRefusal(refusal);
      if (refusal !== undefined && isLimit(refusal)) throw new NotNow(this.#options.clock.now() + patienceOf(refusal), refusal.reason);
      throw error;
    }
  }

  async #noteRefusal(refusal: SourceRefusal): Promise<void> {
    const { connectionId } = this.#connection;
    const { ledgers, logger } = this.#options;
    logger.warn({ connection_id: connectionId, source: this.source.name, reason: refusal.reason, err: refusal }, 'A source refused a call');
    if (!isLimit(refusal)) return;
    const until = this.#options.clock.now() + patienceOf(refusal);
    await ledgers.change(connectionId, (ledger) => blockCalls(ledger, until));
  }
}

/** Opens a vendor for a connection. */
export function connectSource(source: TrackingSource, connection: Connection, options: ConnectedSourceOptions): ConnectedSource {
  return new Connected(source, connection, options);
}
