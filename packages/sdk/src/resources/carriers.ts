import type { ConnectionChange, ConnectionCreation } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Carriers of parcels. */
export class Carriers extends Resource {
  /** The carriers that can be tracked, and with whose account. */
  list(options?: CallOptions) {
    return this.caller.call('listCarriers', {}, options);
  }

  /** The carriers that may have given a tracking number, best first, by its form and its check digit. An empty list is no fault. */
  detect(trackingNumber: string, options?: CallOptions) {
    return this.caller.call('detectCarriers', { query: { tracking_number: trackingNumber } }, options);
  }
}

/** Your own accounts with vendors of tracking data. Every method but create and list rejects with 40403 when there is no such connection. */
export class CarrierConnections extends Resource {
  /** Connects an account: its carriers are asked with it from then on. No response shows the credentials. */
  create(connection: ConnectionCreation, options?: CallOptions) {
    return this.caller.call('createConnection', { body: connection }, options);
  }

  /** All of them; there are few. */
  list(options?: CallOptions) {
    return this.caller.call('listConnections', {}, options);
  }

  /** One, with the address of its pushes. */
  get(connectionId: string, options?: CallOptions) {
    return this.caller.call('getConnection', { path: { connection_id: connectionId } }, options);
  }

  /** Changes the fields and credentials given. The former value of a secret that proves pushes stays valid as `previous_<name>`. */
  update(connectionId: string, change: ConnectionChange, options?: CallOptions) {
    return this.caller.call('updateConnection', { path: { connection_id: connectionId }, body: change }, options);
  }

  /** Deletes it with its credentials. */
  delete(connectionId: string, options?: CallOptions) {
    return this.caller.call('deleteConnection', { path: { connection_id: connectionId } }, options);
  }

  /** Makes one call of the source that shows whether it accepts the credentials. */
  test(connectionId: string, options?: CallOptions) {
    return this.caller.call('testConnection', { path: { connection_id: connectionId } }, options);
  }
}
