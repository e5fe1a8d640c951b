import type { ShipmentDetails } from '@parcelway/contracts/shipment-details';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import { askedParcelOf } from '../../accounts/adapters/asked-parcel.ts';
import type { ConnectedSource } from '../../accounts/adapters/connected-source.ts';
import { type Connection, shownId } from '../../accounts/domain/connection.ts';
import type { PushHeaders } from '../../sources/push.ts';
import type { SourcePushes, TrackingSource } from '../../sources/source.ts';
import { nodesOfParcel, type SourceParcel, type Trace } from '../../sources/trace.ts';
import type { Shipment } from '../domain/shipment.ts';
import type { PushedParcel, PushReader, ReadPush } from '../ports.ts';
import type { OpenSources } from './ask-sources.ts';

/** Whether what a push says is believed. */
type Proof = 'proved' | 'not proved' | 'refused';

/** A push that nothing proves says that there is news, and no more: its content could be anybody's. */
function proofOf(pushes: SourcePushes, connection: Connection, body: Uint8Array, headers: PushHeaders): Proof {
  const secrets = pushes.secretsOf(connection.credentials);
  if (secrets.length === 0) return 'not proved';
  return pushes.verify(body, headers, secrets) ? 'proved' : 'refused';
}

/** @throws AppError 40001 when the push carries nothing of this source's */
function translated(source: TrackingSource, raw: unknown, parcel: SourceParcel): Trace {
  try {
    return source.translate(raw, parcel);
  } catch (cause) {
    throw new AppError('40001', `The body is no push of ${source.name}`, { cause });
  }
}

/** What reading pushes needs. */
export interface PushReaderOptions {
  readonly sources: OpenSources;
  readonly detailsOf: (shipment: Shipment) => ShipmentDetails;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Reads pushes by their sources. */
export function createPushReader({ sources, detailsOf, now, logger }: PushReaderOptions): PushReader {
  const parcelsOf = (
    connection: Connection,
    { source, telemetry }: ConnectedSource,
    pushes: SourcePushes,
    opened: Uint8Array,
  ): PushedParcel[] => {
    return pushes.parse(opened).map((pushed) => ({
      trackingNumber: pushed.trackingNumber,
      isOf: ({ registration }: Shipment) => pushes.isOf?.(pushed, registration?.reference ?? null) ?? true,
      responseFor(shipment: Shipment) {
        // As the response to a question is translated: a row is the same, whichever way it comes.
        const trace = translated(
          source,
          pushed.raw,
          askedParcelOf(shipment, shipment.registration?.reference ?? null, detailsOf(shipment)),
        );
        const found = nodesOfParcel(trace, shipment.dispatchedAt, now());
        telemetry.trace(trace, found);
        // Where nothing is registered, a push is what shows that the parcel is pushed.
        const { connectionId } = connection;
        const registration = source.registersFor === null ? { connectionId, reference: null, at: now(), isTaken: true } : undefined;
        return { nodes: found.nodes, report: { registration } };
      },
    }));
  };
  const confirm = async (connected: ConnectedSource, call: Parameters<ConnectedSource['confirm']>[0]): Promise<void> => {
    try {
      await connected.confirm(call);
      logger.info({ source: connected.source.name }, 'A subscription of pushes was confirmed');
    } catch (error) {
      logger.warn({ source: connected.source.name, err: error }, 'A subscription of pushes could not be confirmed; the source asks again');
    }
  };
  return {
    async read(connection, body, headers): Promise<ReadPush> {
      const connected = sources.of(connection);
      const { pushes } = connected.source;
      if (pushes === null) throw new AppError('40402');
      const proof = proofOf(pushes, connection, body, headers);
      if (proof === 'refused') throw new AppError('40003', 'The signature or token of the push is missing or wrong');
      let parcels: readonly PushedParcel[];
      let acknowledgement: string | undefined;
      let confirmation: ReturnType<NonNullable<SourcePushes['confirmation']>>;
      try {
        const opened = pushes.open === undefined ? body : pushes.open(body, headers, connection.credentials);
        parcels = parcelsOf(connection, connected, pushes, opened);
        acknowledgement = pushes.acknowledge?.(opened);
        confirmation = pushes.confirmation?.(opened);
      } catch (error) {
        const { name } = connected.source;
        const reason = error instanceof Error ? error.message : 'unknown';
        logger.warn({ connection_id: shownId(connection.connectionId), source: name, reason }, 'A push cannot be read; it is refused');
        throw new AppError('40001', `The body is no push of ${name}`);
      }
      if (proof === 'proved' && parcels.length > 0) await connected.notePush();
      // The vendor waits for the response to its push first.
      if (proof === 'proved' && confirmation !== undefined) void confirm(connected, confirmation);
      return { isProved: proof === 'proved', parcels, acknowledgement };
    },
  };
}
