import type { Connection } from '../accounts/domain/connection.ts';
import type { AskOptions } from '../accounts/ports.ts';
import type { SourceReport } from './domain/facts.ts';
import type { CarrierNode } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';

/** What a source responded for a shipment. */
export interface SourceResponse {
  /** In the order of the source. */
  readonly nodes: readonly CarrierNode[];
  /** Undefined for a carrier that may be asked any time. */
  readonly report?: SourceReport | undefined;
  /** Called when the history lacked some of the nodes. */
  readonly onNews?: (() => void) | undefined;
}

/** Asks whatever describes the parcels of a carrier: the connections that serve it, each the fallback of the one before. */
export interface Sources {
  /**
   * @throws AppError 50001 when none of them can be asked, or none serves the carrier; NotNow (domain/not-now.ts) when our own limits forbid the call
   */
  ask(shipment: Shipment, options: AskOptions): Promise<SourceResponse>;
  /** Ends the registration of a parcel that is not watched any more. A vendor that refuses is left with it, which is logged: it forgets the parcel some day. */
  release(shipment: Shipment): Promise<void>;
}

/** A parcel that a push reports. */
export interface PushedParcel {
  readonly trackingNumber: string;
  /** False for another parcel under the same number. */
  isOf(shipment: Shipment): boolean;
  /** What the push says of it. @throws AppError 40001 when it cannot be read */
  responseFor(shipment: Shipment): SourceResponse;
}

/** A push, once it was read. */
export interface ReadPush {
  /** False when nothing proves where it comes from: it says that there is news, and no more. */
  readonly isProved: boolean;
  readonly parcels: readonly PushedParcel[];
  /** Text of the response that the source waits for; undefined where the status is enough. */
  readonly acknowledgement: string | undefined;
}

/** Verifies and reads pushes. */
export interface PushReader {
  /**
   * @param body as it came, byte by byte
   * @param headers by name in lower case
   * @throws AppError 40402 for a source that does not push, 40003 for a wrong signature, 40001 for a body that is no push, 50301 when the store is out
   */
  read(connection: Connection, body: Uint8Array, headers: Readonly<Record<string, string | undefined>>): Promise<ReadPush>;
}
