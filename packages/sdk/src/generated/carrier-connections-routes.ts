// Made from the contract by `npm run docs`; do not edit.
import type { CarrierConnection, CarrierConnectionList, ConnectionChange, ConnectionCreation, ConnectionDeletion, ConnectionSaved, ConnectionTest } from './carrier-connection-api.ts';

/** What each route of "Carrier connections" takes and gives. */
export interface CarrierConnectionsRoutes {
  /** Connect an account: `POST /open/v1/carrier-connections` */
  readonly createConnection: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: ConnectionCreation;
    readonly data: ConnectionSaved;
  };
  /** List connections: `GET /open/v1/carrier-connections` */
  readonly listConnections: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: CarrierConnectionList;
  };
  /** Read a connection: `GET /open/v1/carrier-connections/{connection_id}` */
  readonly getConnection: {
    readonly path: { readonly connection_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: CarrierConnection;
  };
  /** Change a connection: `PATCH /open/v1/carrier-connections/{connection_id}` */
  readonly updateConnection: {
    readonly path: { readonly connection_id: string };
    readonly query: undefined;
    readonly body: ConnectionChange;
    readonly data: ConnectionSaved;
  };
  /** Delete a connection: `DELETE /open/v1/carrier-connections/{connection_id}` */
  readonly deleteConnection: {
    readonly path: { readonly connection_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ConnectionDeletion;
  };
  /** Test a connection: `POST /open/v1/carrier-connections/{connection_id}/test` */
  readonly testConnection: {
    readonly path: { readonly connection_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ConnectionTest;
  };
}
