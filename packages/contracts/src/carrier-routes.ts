import { CarrierDetection, CarrierDetectionQuery, CarrierList, WarehouseCarriers } from './carrier-api.ts';
import {
  CarrierConnection,
  CarrierConnectionList,
  ConnectionChange,
  ConnectionCreation,
  ConnectionDeletion,
  ConnectionSaved,
  ConnectionTest,
  MAX_CONNECTIONS,
} from './carrier-connection-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';

const connectionRoute = routesWith({
  path: '/open/v1/carrier-connections',
  service: 'tracking',
  scopes: ['connections:manage'],
  tag: 'Carrier connections',
});

/** A merchant's own accounts with vendors of tracking data. */
export const connectionRoutes: readonly RouteDefinition[] = [
  connectionRoute({
    id: 'createConnection',
    method: 'POST',
    summary: 'Connect an account',
    description: `From then on the carriers of your parcels are asked with your own account. The credentials are stored encrypted, and no response shows them. At most ${MAX_CONNECTIONS} connections a tenant.`,
    body: ConnectionCreation,
    repeat: 'Creates another connection.',
    idempotencyKey: true,
    data: ConnectionSaved,
    errors: ['40902'],
  }),
  connectionRoute({
    id: 'listConnections',
    summary: 'List connections',
    data: CarrierConnectionList,
  }),
  connectionRoute({
    id: 'getConnection',
    below: '/{connection_id}',
    summary: 'Read a connection',
    data: CarrierConnection,
  }),
  connectionRoute({
    id: 'updateConnection',
    method: 'PATCH',
    below: '/{connection_id}',
    summary: 'Change a connection',
    description: 'Changes only what the body names. A new value of a secret that proves pushes leaves the former one valid, too.',
    body: ConnectionChange,
    repeat: 'The same body changes nothing more.',
    data: ConnectionSaved,
  }),
  connectionRoute({
    id: 'deleteConnection',
    method: 'DELETE',
    below: '/{connection_id}',
    summary: 'Delete a connection',
    description: 'Its credentials are deleted, and its pushes are refused. Remove the address at the source, too.',
    data: ConnectionDeletion,
    repeat: 'The second time, the response is 40403.',
  }),
  connectionRoute({
    id: 'testConnection',
    method: 'POST',
    below: '/{connection_id}/test',
    summary: 'Test a connection',
    description:
      'Makes one call of the source that shows whether it accepts the credentials. A refusal of the source is a result, not a failure.',
    data: ConnectionTest,
    repeat: 'Calls the source again.',
  }),
];

const carrierRoute = routesWith({ service: 'tracking', scopes: ['tracking:read'], tag: 'Carriers' });

/** What a merchant asks about carriers. */
export const carrierRoutes: readonly RouteDefinition[] = [
  carrierRoute({
    id: 'listCarriers',
    path: '/open/v1/carriers',
    summary: 'List the carriers that can be tracked',
    description:
      'Which carriers your connections and those of the platform serve. A parcel of another carrier cannot be tracked in production, unless a connection serves every carrier.',
    data: CarrierList,
  }),
  carrierRoute({
    id: 'detectCarriers',
    path: '/open/v1/carriers/detect',
    rateClass: 'tracking',
    summary: 'Detect the carrier of a tracking number',
    description:
      'Names the carriers that may have given the number, by its form and its check digit. No carrier is asked, and nothing is stored. An empty list is no fault: carriers change their numbers without notice.',
    query: CarrierDetectionQuery,
    data: CarrierDetection,
  }),
  carrierRoute({
    id: 'listWarehouseCarriers',
    path: '/warehouse/v1/carriers',
    access: 'warehouse',
    scopes: ['warehouse:read'],
    tag: 'Warehouse view',
    summary: 'List the carriers that connections of the platform name',
    description: 'Offer these codes for a dispatch. A parcel of another carrier may not be tracked by anybody.',
    data: WarehouseCarriers,
  }),
];
