import type { CarrierDetection, CarrierList } from './carrier-api.ts';
import type { CarrierConnection, ConnectionChange, ConnectionCreation, ConnectionTest } from './carrier-connection-api.ts';
import type { RouteExample } from './route-example.ts';

const trackingNumber = 'EA123456785CN';
const reason = '13 characters as the Universal Postal Union defines them; the check digit is right; country CN';

const detection: CarrierDetection = {
  tracking_number: trackingNumber,
  candidates: [
    { carrier_code: 'china-ems', carrier_name: 'China EMS', confidence: 'high', reason },
    { carrier_code: 'china-post', carrier_name: 'China Post', confidence: 'medium', reason },
  ],
};

const carriers: CarrierList = {
  carriers: [
    { carrier_code: 'dhl', served_by: 'own', source: 'dhl' },
    { carrier_code: 'ups', served_by: 'platform', source: 'ups' },
  ],
  serves_all: false,
};

const connectionId = 'con_8JqkT0vXw2nM5rYcZ1bLhGdS';
const connection: CarrierConnection = {
  connection_id: connectionId,
  source: 'dhl',
  carriers: ['dhl'],
  credential_names: ['key', 'push_token'],
  push_url: `https://api.example.com/carriers/v1/dhl/${connectionId}`,
  limits: null,
  create_time: '2025-11-21T08:03:00.000+00:00',
  update_time: '2025-11-21T08:03:00.000+00:00',
};
const dhl: ConnectionCreation = {
  source: 'dhl',
  carriers: ['dhl'],
  credentials: { key: 'demo-key', push_token: 'a-random-token-of-your-own' },
};
const everyCarrier: ConnectionCreation = { source: '17track', carriers: ['*'], credentials: { key: '0123456789ABCDEF0123456789ABCDEF' } };
const newToken: ConnectionChange = { credentials: { push_token: 'another-random-token' } };
const endOfRotation: ConnectionChange = { credentials: { previous_push_token: null } };
const grantedLimits: ConnectionChange = { limits: { calls_per_day: 5000 } };
const standardLimits: ConnectionChange = { limits: null };
const tested: ConnectionTest = {
  connection_id: connectionId,
  result: 'works',
  message: 'The source accepts the credentials. There is nothing to do',
};

/** Parameter of a path → example. */
export const carrierParameterExamples: Readonly<Record<string, string>> = { connection_id: connectionId };

/** Route id → example, of the routes of carriers. */
export const carrierRouteExamples: Readonly<Record<string, RouteExample>> = {
  listCarriers: { requests: {}, data: carriers },
  createConnection: { requests: { dhl, everyCarrier }, data: { ...connection, warnings: [] } },
  listConnections: { requests: {}, data: { connections: [connection] } },
  getConnection: { requests: {}, data: connection },
  updateConnection: {
    requests: { newToken, endOfRotation, grantedLimits, standardLimits },
    data: {
      ...connection,
      credential_names: ['key', 'previous_push_token', 'push_token'],
      update_time: '2025-11-22T07:00:00.000+00:00',
      warnings: [],
    },
  },
  deleteConnection: { requests: {}, data: { connection_id: connectionId, deleted: true } },
  testConnection: { requests: {}, data: tested },
  listWarehouseCarriers: { requests: {}, data: { carriers: ['ups', 'yunexpress', 'dhl'] } },
  detectCarriers: { requests: {}, query: { tracking_number: trackingNumber }, data: detection },
};
