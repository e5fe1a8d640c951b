import { type Connection, shownId } from './domain/connection.ts';

/** What metrics call a connection. */
export interface ConnectionLabels {
  readonly connection: string;
  readonly owner: 'operator' | 'tenant';
}

/** Labels of a connection. Tenants may have any number of connections: theirs are counted together, under the name of the source. */
export function connectionLabels({ connectionId, tenantId, source }: Connection): ConnectionLabels {
  return tenantId === null ? { connection: shownId(connectionId), owner: 'operator' } : { connection: source, owner: 'tenant' };
}
