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
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request, RequestHandler, Router } from 'express';
import type { Connections, OwnConnection } from '../connections.ts';
import type { SourceDescriptions } from '../domain/connection-input.ts';
import type { TestConnection } from './test-connection.ts';

export interface ConnectionRoutesOptions {
  readonly connections: Connections;
  readonly sources: SourceDescriptions;
  readonly test: TestConnection;
  readonly idempotency: Idempotency;
  /** Address of the gateway, without a slash at the end. */
  readonly publicBaseUrl: string;
}

const creation = compileValidator(ConnectionCreation);
const changes = compileValidator(ConnectionChange);
const operatorCreation = compileValidator(OperatorConnection);
const operatorChanges = compileValidator(OperatorConnectionChange);

/** What the bodies of an owner mean, and how its connections are shown. */
interface OwnerForm {
  creationOf(body: unknown): { readonly input: OperatorConnection; readonly warnings?: readonly object[] };
  changeOf(body: unknown): { readonly patch: Parameters<Connections['change']>[2]; readonly warnings?: readonly object[] };
  view(one: OwnConnection): CarrierConnection | ConnectionOfOperator;
}

type Common = Omit<CarrierConnection, 'create_time' | 'update_time'>;

/** Fields that only operators may set, such as base_url, are unknown here. */
const tenantForm = (common: (one: OwnConnection) => Common): OwnerForm => ({
  creationOf(given) {
    const body = creation.parse(given);
    const { source, carriers, credentials, limits } = body;
    return { input: { source, carriers, credentials, ...(limits && { limits }) }, warnings: bodyWarnings(body, creation.fields) };
  },
  changeOf(given) {
    const body = changes.parse(given);
    const { carriers, credentials, limits } = body;
    return { patch: { carriers, credentials, limits }, warnings: bodyWarnings(body, changes.fields) };
  },
  view: (one) => ({ ...common(one), create_time: isoInstant(one.createdAt ?? 0), update_time: isoInstant(one.updatedAt ?? 0) }),
});

const time = (at: number | null): string | null => (at === null ? null : isoInstant(at));

const operatorForm = (common: (one: OwnConnection) => Common): OwnerForm => ({
  creationOf: (body) => ({ input: operatorCreation.parse(body) }),
  changeOf: (body) => ({ patch: operatorChanges.parse(body) }),
  view: (one) => ({
    ...common(one),
    base_url: one.connection.baseUrl,
    configured: one.createdAt === null,
    create_time: time(one.createdAt),
    update_time: time(one.updatedAt),
  }),
});

const idOf = (req: Request): string => String(req.params['connection_id']);

/** Responses of the routes of an owner, by their ids. */
function responsesOf(
  { connections, test }: ConnectionRoutesOptions,
  { creationOf, changeOf, view }: OwnerForm,
): Readonly<Record<string, RouteResponse<string | null>>> {
  return {
    async createConnection(req, owner) {
      const { input, ...more } = creationOf(req.body);
      return { ...view(await connections.create(owner, input, seedOf(req))), ...more };
    },
    listConnections: async (_req, owner) => ({ connections: (await connections.list(owner)).map(view) }),
    getConnection: async (req, owner) => view(await connections.get(owner, idOf(req))),
    async updateConnection(req, owner) {
      const { patch, ...more } = changeOf(req.body);
      return { ...view(await connections.change(owner, idOf(req), patch)), ...more };
    },
    async deleteConnection(req, owner) {
      await connections.remove(owner, idOf(req));
      return { connection_id: idOf(req), deleted: true };
    },
    testConnection: async (req, owner): Promise<ConnectionTest> => ({ connection_id: idOf(req), ...(await test(owner, idOf(req))) }),
  };
}

/** The routes of connections: those of tenants, and the same ones of the operator for the gateway's admin API. */
export function addConnectionRoutes(router: Router, options: ConnectionRoutesOptions): void {
  const { idempotency, publicBaseUrl, sources } = options;
  const common = ({ connection: { connectionId, source, carriers, credentials, limits } }: OwnConnection): Common => ({
    connection_id: connectionId,
    source,
    carriers: [...carriers],
    credential_names: Object.keys(credentials).sort(),
    push_url: (sources.get(source)?.pushes ?? null) === null ? null : `${publicBaseUrl}/carriers/v1/${source}/${connectionId}`,
    limits,
  });
  const ofTenants = responsesOf(options, tenantForm(common));
  addContractRoutes(router, connectionRoutes, { responses: ofTenants, callerOf: tenantOf, once: (id) => idempotency.route(id, tenantOf) });
  const systemOnly: RequestHandler = (req, _res, next) => {
    assertSystem(req);
    next();
  };
  const internal = connectionRoutes.map((route) => ({ ...route, path: route.path.replace('/open/', '/internal/') }));
  addContractRoutes(router, internal, {
    responses: responsesOf(options, operatorForm(common)),
    callerOf: () => null,
    before: () => [systemOnly],
  });
}
