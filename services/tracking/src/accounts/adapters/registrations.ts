import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { AskedParcel, RegisterResult, TrackingSource } from '../../sources/source.ts';
import { withoutCredentials } from '../../sources/source-http.ts';
import type { ParcelFact } from '../../watch/domain/facts.ts';
import type { Registration, Shipment } from '../../watch/domain/shipment.ts';
import { NotNow } from '../../watch/domain/sources.ts';
import type { CallPurpose } from '../domain/call-ledger.ts';
import type { Connection } from '../domain/connection.ts';
import type { QueuedItem } from './call-queue.ts';

/** The source does not take a number, for the reason in the message: another one may. */
export class NumberRejected extends Error {}

/** @param reason of the source, which may repeat a credential */
export function rejected(reason: string, { credentials }: Connection): NumberRejected {
  return new NumberRejected(withoutCredentials(reason, credentials));
}

const DAY_MS = 86_400_000;

export interface RegistrationsOptions {
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
export class Registrations {
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
