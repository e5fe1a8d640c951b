import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import type { ConnectedSource } from '../../accounts/adapters/connected-source.ts';
import type { Connections } from '../../accounts/connections.ts';
import { type Connection, connectionLabels, shownId } from '../../accounts/domain/connection.ts';
import { isProved, type PushedTrace } from '../../sources/push.ts';
import { pushSecrets, type SourcePushes } from '../../sources/source.ts';
import type { Trace } from '../../sources/trace.ts';
import type { ParcelFact } from '../domain/facts.ts';
import { digestNodes, oldestFirst } from '../domain/history.ts';
import type { Shipment } from '../domain/shipment.ts';
import type { RecordFacts, TrackingStore } from '../tracking-store.ts';
import type { OpenSources } from './ask-sources.ts';

export interface ReceivePushOptions {
  readonly connections: Pick<Connections, 'byId' | 'serving'>;
  readonly sources: OpenSources;
  readonly shipments: Pick<TrackingStore, 'findByNumber'>;
  readonly record: RecordFacts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<ServiceTelemetry['metrics'], 'count'>;
}

/** A push as it came. */
export interface IncomingPush {
  readonly source: string;
  readonly connectionId: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly traceparent?: string | undefined;
  /** Reads the body, byte by byte as it came; called only for a connection that exists. */
  body(): Promise<Uint8Array>;
}

/** A push, once it was read. */
interface ReadPush {
  readonly traces: readonly PushedTrace[];
  /** Text of the response that the source waits for; undefined where the status is enough. */
  readonly acknowledgement: string | undefined;
  readonly confirmation: ReturnType<NonNullable<SourcePushes['confirmation']>>;
}

/** Parcels under watch with one number that a push may change. */
const MAX_SHIPMENTS = 100;

/** What was wrong with a push that was not applied, by the code of its error. Any other error says nothing of the push. */
const failures: Readonly<Record<string, string>> = { 40003: 'refused', 40001: 'unreadable', 41301: 'unreadable', 50301: 'busy' };

/**
 * Receives a push: what it says is durable before this resolves. A push that comes again, or that is older than what is known, changes nothing: its nodes
 * are in the history, and the history is in the order of their instants.
 * @returns text of the response that the source waits for; undefined where the status is enough
 * @throws AppError 40402 for a connection that does not exist or does not push, 40003 for a signature that is wrong or that nothing can check, 40001 for a body that is no push, 50301 when the store is out
 */
export type ReceivePush = (push: IncomingPush) => Promise<string | undefined>;

/** @throws AppError 40003, 40001 */
function read(logger: Logger, connection: Connection, pushes: SourcePushes, body: Uint8Array, headers: IncomingPush['headers']): ReadPush {
  const secrets = pushSecrets(pushes, connection.credentials);
  if (!isProved(pushes.proof, body, headers, secrets))
    throw new AppError('40003', 'The signature or token of the push is missing or wrong');
  try {
    const opened = pushes.open?.(body, secrets) ?? body;
    return {
      traces: pushes.parse(opened),
      acknowledgement: pushes.acknowledge?.(opened),
      confirmation: pushes.confirmation?.(opened),
    };
  } catch (error) {
    const { source } = connection;
    const reason = error instanceof Error ? error.message : 'unknown';
    logger.warn({ connection_id: shownId(connection.connectionId), source, reason }, 'A push cannot be read; it is refused');
    throw new AppError('40001', `The body is no push of ${source}`);
  }
}

async function confirm(logger: Logger, connected: ConnectedSource, call: NonNullable<ReadPush['confirmation']>): Promise<void> {
  const { name: source } = connected.source;
  try {
    await connected.confirm(call);
    logger.info({ source }, 'A subscription of pushes was confirmed');
  } catch (error) {
    logger.warn({ source, err: error }, 'A subscription of pushes could not be confirmed; the source asks again');
  }
}

/** The parcels under a number that this connection serves: those of its tenant, or of all tenants for the operator's. */
async function servedBy(
  { connections, shipments }: ReceivePushOptions,
  connection: Connection,
  trackingNumber: string,
): Promise<readonly Shipment[]> {
  const found = await shipments.findByNumber(trackingNumber, MAX_SHIPMENTS);
  const served = await Promise.all(
    found.map(async (shipment) => {
      const serving = await connections.serving(shipment.tenantId, shipment.carrierCode);
      return serving.some(({ connectionId }) => connectionId === connection.connectionId);
    }),
  );
  return found.filter((_shipment, index) => served[index]);
}

/** What a push says of a shipment, translated as the response to a question is: a row is the same, whichever way it comes. */
function responseOf({ clock }: ReceivePushOptions, connected: ConnectedSource, connectionId: string, raw: unknown, shipment: Shipment) {
  const { name, registersFor } = connected.source;
  const now = clock.now();
  let trace: Trace;
  try {
    trace = connected.read(raw, shipment, shipment.registration);
  } catch (cause) {
    throw new AppError('40001', `The body is no push of ${name}`, { cause });
  }
  const nodes = connected.nodesOf(trace, shipment);
  // Where nothing is registered, a push is what shows that the parcel is pushed.
  const registration = registersFor === null ? { connectionId, reference: null, at: now, isTaken: true } : undefined;
  return { type: 'response', shipment, nodes: digestNodes(oldestFirst(nodes)), now, report: { registration } } as const;
}

/** Makes the receiver of pushes. */
export function createReceivePush(options: ReceivePushOptions): ReceivePush {
  const { connections, sources, record, logger, metrics } = options;
  const factsOf = async (
    connection: Connection,
    connected: ConnectedSource,
    push: ReadPush,
    traceparent?: string,
  ): Promise<ParcelFact[]> => {
    const { isOf } = connected.source.pushes ?? {};
    const facts: ParcelFact[] = [];
    for (const pushed of push.traces) {
      const found = await servedBy(options, connection, normaliseTrackingNumber(pushed.trackingNumber));
      // Of several parcels under one number, those that its carrier fits, if it fits any: a source may change the carrier of a number.
      const fitting = found.filter(({ registration }) => isOf?.(pushed, registration?.reference ?? null) ?? true);
      const own = fitting.length > 0 ? fitting : found;
      const { connectionId } = connection;
      facts.push(...own.map((shipment) => ({ ...responseOf(options, connected, connectionId, pushed.raw, shipment), traceparent })));
    }
    return facts;
  };

  const apply = async (connection: Connection, { headers, traceparent, body }: IncomingPush): Promise<ReadPush> => {
    const connected = sources.of(connection);
    const { pushes } = connected.source;
    const bytes = await body();
    if (pushes === null) throw new AppError('40402');
    const push = read(logger, connection, pushes, bytes, headers);
    if (push.traces.length > 0) await connected.notePush();
    // The vendor waits for the response to its push first.
    if (push.confirmation !== undefined) void confirm(logger, connected, push.confirmation);
    const facts = await factsOf(connection, connected, push, traceparent);
    if (facts.length > 0) await record(facts);
    return push;
  };

  return async (push) => {
    const connection = await connections.byId(push.connectionId);
    if (connection === undefined || connection.source !== push.source) throw new AppError('40402');
    const count = (outcome: string): void => metrics.count('parcelway_source_pushes_total', { ...connectionLabels(connection), outcome });
    try {
      const { acknowledgement } = await apply(connection, push);
      count('accepted');
      return acknowledgement;
    } catch (error) {
      const outcome = error instanceof AppError ? failures[error.code] : undefined;
      if (outcome !== undefined) count(outcome);
      throw error;
    }
  };
}
