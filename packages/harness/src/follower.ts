import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { Simulation } from '@parcelway/contracts/sandbox-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { type Merchant, newPoNumber } from './merchant.ts';

/** What a node of the carrier may have besides its status. */
export type NodeDetails = Pick<Simulation, 'content' | 'address' | 'create_time' | 'times'>;

/** Follows a parcel that has left the warehouse: plays the carrier, and reads the tracking as the merchant. */
export class Follower {
  readonly owner: Merchant;
  readonly poNumber: string;

  private constructor(owner: Merchant, poNumber: string) {
    this.owner = owner;
    this.poNumber = poNumber;
  }

  /** Simulates the dispatch of a parcel, and waits until the tracking query shows it as shipped. */
  static async dispatch(owner: Merchant, poNumber: string, within?: number): Promise<Follower> {
    await owner.simulate({ po_number: poNumber, step: 'dispatch' });
    await owner.untilShipped(poNumber, within);
    return new Follower(owner, poNumber);
  }

  /** Submits a new forecast and dispatches its parcel. */
  static async ofNewParcel(owner: Merchant, trackingNumber = newPoNumber('CAR')): Promise<Follower> {
    const { po_number } = await owner.submit({ trackingNumber });
    return Follower.dispatch(owner, po_number);
  }

  /** The carrier adds a node. */
  async move(admin_status: AdminStatus, details: NodeDetails = {}): Promise<void> {
    await this.owner.simulate({ po_number: this.poNumber, step: 'track', admin_status, ...details });
  }

  tracking(): Promise<TrackingResult> {
    return this.owner.tracking(this.poNumber);
  }

  /** Waits until the tracking query shows as many nodes. */
  untilNodes(count: number): Promise<TrackingResult> {
    return this.owner.untilTracking(this.poNumber, ({ nodes }) => nodes.length === count, `${count} nodes`);
  }
}
