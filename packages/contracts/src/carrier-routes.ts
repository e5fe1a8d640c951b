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
import type { RouteDefinition } from './route.ts';

type Given = Pick<RouteDefinition, 'id' | 'method' | 'summary' | 'data'> & Partial<RouteDefinition> & { readonly below?: string };

const connectionRoute = ({ below = '', ...given }: Given): RouteDefinition => ({
  path: `/open/v1/carrier-connections${below}`,
  service: 'tracking',
  access: 'tenant',
  scopes: ['connections:manage'],
  rateClass: 'standard',
  tag: 'Carrier connections',
  success: 200,
  errors: ['40403'],
  ...given,
});

const bodyErrors = ['40001', '41301', '41501', '42201'] as const;

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
    errors: [...bodyErrors, '40902'],
  }),
  connectionRoute({
    id: 'listConnections',
    method: 'GET',
    summary: 'List connections',
    data: CarrierConnectionList,
    errors: [],
  }),
  connectionRoute({
    id: 'getConnection',
    method: 'GET',
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
    errors: [...bodyErrors, '40403'],
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

/** What a merchant asks about carriers. */
export const carrierRoutes: readonly RouteDefinition[] = [
  {
    id: 'listCarriers',
    method: 'GET',
    path: '/open/v1/carriers',
    service: 'tracking',
    access: 'tenant',
    scopes: ['tracking:read'],
    rateClass: 'standard',
    tag: 'Carriers',
    summary: 'List the carriers that can be tracked',
    description:
      'Which carriers your connections and those of the platform serve. A parcel of another carrier cannot be tracked in production, unless a connection serves every carrier.',
    data: CarrierList,
    success: 200,
    errors: [],
  },
  {
    id: 'detectCarriers',
    method: 'GET',
    path: '/open/v1/carriers/detect',
    service: 'tracking',
    access: 'tenant',
    scopes: ['tracking:read'],
    rateClass: 'tracking',
    tag: 'Carriers',
    summary: 'Detect the carrier of a tracking number',
    description:
      'Names the carriers that may have given the number, by its form and its check digit. No carrier is asked, and nothing is stored. An empty list is no fault: carriers change their numbers without notice.',
    query: CarrierDetectionQuery,
    data: CarrierDetection,
    success: 200,
    errors: ['42201'],
  },
  {
    id: 'listWarehouseCarriers',
    method: 'GET',
    path: '/warehouse/v1/carriers',
    service: 'tracking',
    access: 'warehouse',
    scopes: ['warehouse:read'],
    rateClass: 'standard',
    tag: 'Warehouse view',
    summary: 'List the carriers that connections of the platform name',
    description: 'Offer these codes for a dispatch. A parcel of another carrier may not be tracked by anybody.',
    data: WarehouseCarriers,
    success: 200,
    errors: [],
  },
];
