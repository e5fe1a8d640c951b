import {
  type CarrierConnection,
  ConnectionChange,
  ConnectionCreation,
  type ConnectionTest,
} from '@parcelway/contracts/carrier-connection-api';
import { connectionRoutes } from '@parcelway/contracts/carrier-routes';
import { type ConnectionOfOperator, OperatorConnection, OperatorConnectionChange } from '@parcelway/contracts/operator-connection-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem, tenantOf } from '@parcelway/http/app';
import { addContractRoutes, type RouteResponse } from '@parcelway/http/contract-routes';
import { type Idempotency, seedOf } from '@parcelway/http/idempotency';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request, RequestHandler, Router } from 'express';
import type { ConnectionManager, ConnectionSummary } from '../manage-connections.ts';

/** What the routes call. */
export interface ConnectionRoutesOptions {
  readonly manager: ConnectionManager;
  readonly idempotency: Idempotency;
  /** Address of the gateway, without a slash at the end. */
  readonly publicBaseUrl: string;
}

const creation = compileValidator(ConnectionCreation);
const changes = compileValidator(ConnectionChange);
const operatorCreation = compileValidator(OperatorConnection);
const operatorChanges = compileValidator(OperatorConnectionChange);

const idOf = (req: Request): string => String(req.params['connection_id']);

/** Views of connections. */
function viewsAt(publicBaseUrl: string) {
  const common = (one: ConnectionSummary) => ({
    connection_id: one.connectionId,
    source: one.source,
    carriers: [...one.carriers],
    credential_names: [...one.credentialNames],
    push_url: one.doesPush ? `${publicBaseUrl}/carriers/v1/${one.source}/${one.connectionId}` : null,
    limits: one.limits,
  });
  const time = (at: number | null): string | null => (at === null ? null : isoInstant(at));
  return {
    tenants: (one: ConnectionSummary): CarrierConnection => ({
      ...common(one),
      create_time: isoInstant(one.createdAt ?? 0),
      update_time: isoInstant(one.updatedAt ?? 0),
    }),
    operators: (one: ConnectionSummary): ConnectionOfOperator => ({
      ...common(one),
      base_url: one.baseUrl,
      configured: one.isConfigured,
      create_time: time(one.createdAt),
      update_time: time(one.updatedAt),
    }),
  };
}

async function testOf(manager: ConnectionManager, tenantId: string | null, connectionId: string): Promise<ConnectionTest> {
  return { connection_id: connectionId, ...(await manager.test(tenantId, connectionId)) };
}

/** Responses of the routes of tenants, by their ids. */
function tenantResponses({ manager, publicBaseUrl }: ConnectionRoutesOptions): Readonly<Record<string, RouteResponse<string>>> {
  const view = viewsAt(publicBaseUrl).tenants;
  return {
    async createConnection(req, tenantId) {
      const body = creation.parse(req.body);
      // Fields that only operators may set, such as base_url, are unknown here.
      const { source, carriers, credentials, limits } = body;
      const input = { source, carriers, credentials, ...(limits && { limits }) };
      const created = await manager.create(tenantId, input, seedOf(req));
      return { ...view(created), warnings: bodyWarnings(body, creation.fields) };
    },
    async listConnections(_req, tenantId) {
      return { connections: (await manager.list(tenantId)).map(view) };
    },
    async getConnection(req, tenantId) {
      return view(await manager.get(tenantId, idOf(req)));
    },
    async updateConnection(req, tenantId) {
      const body = changes.parse(req.body);
      const { carriers, credentials, limits } = body;
      const changed = await manager.change(tenantId, idOf(req), { carriers, credentials, limits });
      return { ...view(changed), warnings: bodyWarnings(body, changes.fields) };
    },
    async deleteConnection(req, tenantId) {
      await manager.remove(tenantId, idOf(req));
      return { connection_id: idOf(req), deleted: true };
    },
    testConnection: (req, tenantId) => testOf(manager, tenantId, idOf(req)),
  };
}

/** The operator's connections, for the gateway's admin API. */
function operatorRoutes(router: Router, { manager, publicBaseUrl }: ConnectionRoutesOptions): void {
  const view = viewsAt(publicBaseUrl).operators;
  const systemOnly: RequestHandler = (req, _res, next) => {
    assertSystem(req);
    next();
  };
  const all = '/internal/v1/carrier-connections';
  const one = `${all}/:connection_id`;
  router.post(all, systemOnly, jsonBody(), async (req, res) => {
    sendOk(res, view(await manager.create(null, operatorCreation.parse(req.body))));
  });
  router.get(all, systemOnly, async (_req, res) => {
    sendOk(res, { connections: (await manager.list(null)).map(view) });
  });
  router.get(one, systemOnly, async (req, res) => {
    sendOk(res, view(await manager.get(null, idOf(req))));
  });
  router.patch(one, systemOnly, jsonBody(), async (req, res) => {
    sendOk(res, view(await manager.change(null, idOf(req), operatorChanges.parse(req.body))));
  });
  router.delete(one, systemOnly, async (req, res) => {
    await manager.remove(null, idOf(req));
    sendOk(res, { connection_id: idOf(req), deleted: true });
  });
  router.post(`${one}/test`, systemOnly, async (req, res) => {
    sendOk(res, await testOf(manager, null, idOf(req)));
  });
}

/** The routes of connections; throws when a route of the contract has no response here. */
export function addConnectionRoutes(router: Router, options: ConnectionRoutesOptions): void {
  const { idempotency } = options;
  const responses = tenantResponses(options);
  addContractRoutes(router, connectionRoutes, { responses, callerOf: tenantOf, once: (id) => idempotency.route(id, tenantOf) });
  operatorRoutes(router, options);
}
