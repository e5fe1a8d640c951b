import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { RegisterResult, TrackingSource } from '../../sources/source.ts';
import { NotNow } from '../../watch/domain/not-now.ts';
import type { AskOptions, Registration, Shipment } from '../../watch/domain/shipment.ts';

/** What registering needs. */
export interface RegistrationsOptions {
  readonly source: Pick<TrackingSource, 'registersFor' | 'registrationLastsMs'>;
  readonly connectionId: string;
  readonly clock: Clock;
  /** Makes the call. @throws AppError 50001, NotNow */
  register(shipment: Shipment, purpose: AskOptions['purpose']): Promise<RegisterResult>;
}

/** What came of the registration of a parcel. */
export type Registered =
  /** @property registration null where none is needed, or there is none now and queries work all the same */
  { readonly kind: 'registered'; readonly registration: Registration | null } | Extract<RegisterResult, { readonly kind: 'rejected' }>;

type Asked = Pick<AskOptions, 'purpose' | 'keep'>;

/** When a registration is tried again that a source has not taken. */
const TRY_AGAIN_MS = 86_400_000;

/** The registrations of parcels with one connection. */
export class Registrations {
  readonly #options: RegistrationsOptions;

  constructor(options: RegistrationsOptions) {
    this.#options = options;
  }

  /** The registration of a parcel with this connection; null when there is none, or the source has forgotten it by now. */
  known({ registration }: Shipment): Registration | null {
    const { source, connectionId, clock } = this.#options;
    if (registration?.connectionId !== connectionId) return null;
    const lastsMs = registration.isTaken ? (source.registrationLastsMs ?? Number.POSITIVE_INFINITY) : TRY_AGAIN_MS;
    return clock.now() - registration.at < lastsMs ? registration : null;
  }

  /** True when the source pushes a parcel, as far as its registration says. */
  isPushed(shipment: Shipment): boolean {
    return this.known(shipment)?.isTaken === true;
  }

  /** Registers a parcel that is not registered with this connection. @throws AppError 50001, NotNow where queries need the registration */
  async of(shipment: Shipment, asked: Asked): Promise<Registered> {
    const known = this.known(shipment);
    if (this.#options.source.registersFor === null || known !== null) return { kind: 'registered', registration: known };
    return this.renew(shipment, asked);
  }

  /** Registers a parcel, whatever is known of it. @throws as {@link of} */
  async renew(shipment: Shipment, { purpose, keep }: Asked): Promise<Registered> {
    const { source, connectionId, clock, register } = this.#options;
    const isForPushes = source.registersFor === 'pushes';
    try {
      const result = await register(shipment, purpose);
      if (result.kind === 'rejected' && !isForPushes) return result;
      const isTaken = result.kind === 'registered';
      const registration = { connectionId, reference: isTaken ? result.reference : null, at: clock.now(), isTaken };
      await keep(registration);
      return { kind: 'registered', registration };
    } catch (error) {
      const isRefused = error instanceof NotNow || (error instanceof AppError && error.code === '50001');
      if (isForPushes && isRefused) return { kind: 'registered', registration: null };
      throw error;
    }
  }
}
