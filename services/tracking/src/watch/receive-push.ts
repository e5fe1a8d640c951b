import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Connection } from '../accounts/domain/connection.ts';
import type { FindConnections } from '../accounts/find-connections.ts';
import type { ParcelFact } from './domain/facts.ts';
import { digestNodes } from './domain/history.ts';
import { oldestFirst } from './domain/node-order.ts';
import { keyText } from './domain/parcel-key.ts';
import type { Shipment } from './domain/shipment.ts';
import type { PushedParcel, PushReader, ReadPush } from './ports.ts';
import type { PushTelemetry } from './push-telemetry.ts';
import type { RecordFacts } from './record-facts.ts';
import type { TrackingStore } from './tracking-store.ts';

/** What receiving pushes needs. */
export interface ReceivePushOptions {
  readonly connections: Pick<FindConnections, 'byId' | 'serving'>;
  readonly pushes: PushReader;
  readonly shipments: Pick<TrackingStore, 'findByNumber'>;
  readonly record: RecordFacts;
  readonly clock: Clock;
  readonly telemetry: PushTelemetry;
  readonly wake: () => void;
}

/** A push as it came. */
export interface IncomingPush {
  readonly source: string;
  readonly connectionId: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly traceparent?: string | undefined;
  /** Reads the body; called only for a connection that exists. */
  body(): Promise<Uint8Array>;
}

/** Parcels under watch with one number that a push may change. */
const MAX_SHIPMENTS = 100;
/** Numbers of a push without a proof that are looked up. */
const MAX_UNPROVED = 10;
/** A parcel has news that nothing proves at most this often, milliseconds. */
const NEWS_GAP_MS = 60_000;
/** Parcels with such news that are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * Receives a push: what it says is durable before this resolves. A push that comes again, or that is older than what is known, changes nothing: its nodes
 * are in the history, and the history is in the order of their instants.
 * @returns text of the response that the source waits for; undefined where the status is enough
 * @throws AppError 40402 for a connection that does not exist or does not push, 40003 for a wrong signature, 40001 for a body that is no push, 50301 when the store is out
 */
export type ReceivePush = (push: IncomingPush) => Promise<string | undefined>;

/** The shipments that a push is of: of several under one number, those that its carrier fits, if it fits any. A source may change the carrier of a number. */
function ofParcel(parcel: PushedParcel, found: readonly Shipment[]): readonly Shipment[] {
  const fitting = found.filter((shipment) => parcel.isOf(shipment));
  return fitting.length > 0 ? fitting : found;
}

/** Makes the receiver of pushes. */
export function createReceivePush(options: ReceivePushOptions): ReceivePush {
  const { connections, pushes, shipments, record, clock, telemetry, wake } = options;
  /** When parcels had news that nothing proves. */
  const lastNews = new Map<string, number>();
  /** The parcels under a number that this connection serves: those of its tenant, or of all tenants for the operator's. */
  const servedBy = async (connection: Connection, trackingNumber: string): Promise<readonly Shipment[]> => {
    const found = await shipments.findByNumber(trackingNumber, MAX_SHIPMENTS);
    const served = await Promise.all(
      found.map(async (shipment) => {
        const serving = await connections.serving(shipment.tenantId, shipment.carrierCode);
        return serving.some(({ connectionId }) => connectionId === connection.connectionId);
      }),
    );
    return found.filter((_shipment, index) => served[index]);
  };

  /** That a push without a proof says something of parcels: each of them is asked for, and not again for a while. */
  const newsOf = (found: readonly Shipment[]): readonly ParcelFact[] => {
    const now = clock.now();
    return found.flatMap(({ tenantId, forecastNo, furtherNumber, askedAt }): ParcelFact[] => {
      const key = keyText({ tenantId, forecastNo, furtherNumber });
      if (now - askedAt < NEWS_GAP_MS || now - (lastNews.get(key) ?? 0) < NEWS_GAP_MS) return [];
      lastNews.delete(key);
      lastNews.set(key, now);
      if (lastNews.size > MAX_REMEMBERED) lastNews.delete(lastNews.keys().next().value as string);
      return [{ type: 'news', tenantId, forecastNo, furtherNumber, now }];
    });
  };

  const factsOf = (parcel: PushedParcel, found: readonly Shipment[], traceparent: string | undefined): readonly ParcelFact[] => {
    const now = clock.now();
    return found.map((shipment) => {
      const { nodes, report } = parcel.responseFor(shipment);
      return { type: 'response', shipment, nodes: digestNodes(oldestFirst(nodes)), now, traceparent, report };
    });
  };

  const apply = async (connection: Connection, { headers, traceparent, body }: IncomingPush): Promise<ReadPush> => {
    const push = await pushes.read(connection, await body(), headers);
    const facts: ParcelFact[] = [];
    for (const parcel of push.isProved ? push.parcels : push.parcels.slice(0, MAX_UNPROVED)) {
      const found = await servedBy(connection, normaliseTrackingNumber(parcel.trackingNumber));
      if (push.isProved) facts.push(...factsOf(parcel, ofParcel(parcel, found), traceparent));
      else facts.push(...newsOf(found));
    }
    if (facts.length > 0) await record(facts);
    if (!push.isProved && facts.length > 0) wake();
    return push;
  };

  return async (push) => {
    const connection = await connections.byId(push.connectionId);
    if (connection === undefined || connection.source !== push.source) throw new AppError('40402');
    try {
      const { isProved, acknowledgement } = await apply(connection, push);
      telemetry.done(connection, isProved);
      return acknowledgement;
    } catch (error) {
      telemetry.failed(connection, error);
      throw error;
    }
  };
}
