import type { CarrierConnection, ConnectionChange, ConnectionCreation, ConnectionTest } from '@parcelway/contracts/carrier-connection-api';
import { type Client, pathOf } from '@parcelway/page/api/client';

const CONNECTIONS = '/open/v1/carrier-connections';
const CONNECTION = `${CONNECTIONS}/{connection_id}`;

/** Milliseconds that a test may take: it calls the source. */
const TEST_DEADLINE_MS = 60_000;

/** Every connection of the tenant, oldest first. */
export async function listConnections(client: Client, signal: AbortSignal): Promise<readonly CarrierConnection[]> {
  const { connections } = await client.call<{ connections: CarrierConnection[] }>(CONNECTIONS, { signal });
  return connections;
}

/** Connects an account. @param idempotencyKey makes a repeat return the same connection */
export function createConnection(client: Client, body: ConnectionCreation, idempotencyKey: string): Promise<CarrierConnection> {
  return client.call(CONNECTIONS, { method: 'POST', body, idempotencyKey });
}

/** Changes the fields that are given. */
export function updateConnection(client: Client, id: string, body: ConnectionChange): Promise<CarrierConnection> {
  return client.call(pathOf(CONNECTION, id), { method: 'PATCH', body });
}

/** Deletes a connection with its credentials. */
export function deleteConnection(client: Client, id: string): Promise<unknown> {
  return client.call(pathOf(CONNECTION, id), { method: 'DELETE' });
}

/** Asks the source whether it accepts the credentials. */
export function testConnection(client: Client, id: string): Promise<ConnectionTest> {
  return client.call(pathOf(`${CONNECTION}/test`, id), { method: 'POST', deadlineMs: TEST_DEADLINE_MS });
}
