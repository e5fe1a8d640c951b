import type { Bus } from '@parcelway/bus/bus';
import { DeadLetterQuery, DiscardRequest, RedriveRequest, WarehouseCreation, WarehouseRenaming } from '@parcelway/contracts/admin-api';
import type { Environment } from '@parcelway/contracts/environment';
import { consumedTopics } from '@parcelway/contracts/topics';
import { ResolutionQuery } from '@parcelway/contracts/unclaimed-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { UnclaimedQuery } from '@parcelway/contracts/warehouse-api';
import { errorHandler } from '@parcelway/http/app';
import type { Idempotency } from '@parcelway/http/idempotency';
import { jsonBody } from '@parcelway/http/json-body';
import { assertPlainPath } from '@parcelway/http/plain-path';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import express, { type Express, type RequestHandler, type Response, Router } from 'express';
import type { AuditTrail } from '../../activity/audit-trail.ts';
import type { Relayed } from '../../proxy/adapters/relay-webhooks.ts';
import { requestIdFrom } from '../../proxy/domain/request-id.ts';
import type { KeyRing } from '../../proxy/key-ring.ts';
import { platformPrincipal } from '../../tenants/adapters/principals.ts';
import type { WarehouseRecord } from '../../tenants/domain/records.ts';
import { addWarehouse, closeWarehouse, renameWarehouse } from '../../tenants/manage-warehouses.ts';
import type { OperatorRing } from '../operator-ring.ts';
import type { GatewayStores } from '../ports.ts';
import { redriveDeadLetters } from '../redrive-dead-letters.ts';
import { type AdminActivityOptions, adminActivityRoutes } from './admin-activity.ts';
import { auditRoute } from './admin-audit.ts';
import { type AdminConsoleLinksOptions, adminConsoleLinkRoutes } from './admin-console-links.ts';
import { adminDeclaredNumbersRoutes } from './admin-declared-numbers.ts';
import { adminKeyRoutes } from './admin-keys.ts';
import { type AdminListsOptions, adminListRoutes } from './admin-lists.ts';
import { connectionRoutes, endpointRoutes, warehouseWorkRoutes } from './admin-on-behalf.ts';
import { adminOperatorRoutes } from './admin-operators.ts';
import { adminParcelRoutes } from './admin-parcels.ts';
import { type AdminQueuesOptions, adminQueueRoutes } from './admin-queues.ts';
import { adminRetentionRoutes } from './admin-retention.ts';
import { adminRoles } from './admin-roles.ts';
import { type AdminTenantDataOptions, adminTenantDataRoutes } from './admin-tenant-data.ts';
import { adminTenantRoutes } from './admin-tenants.ts';
import { viewDeadLetter, viewWarehouse } from './admin-views.ts';
import { ExportCursors } from './export-cursors.ts';
import { createForecastDirectory } from './forecast-service-directory.ts';
import { createGuardedRouter, type OperatorAccessOptions, requireOperator } from './operator-access.ts';

/** What the operator's API works with. */
export interface AdminOptions
  extends Omit<AdminTenantDataOptions, 'exports'>,
    AdminListsOptions,
    OperatorAccessOptions,
    AdminQueuesOptions,
    Pick<AdminConsoleLinksOptions, 'sessions' | 'publicBaseUrl'>,
    Omit<AdminActivityOptions, 'stores'> {
  /** Keeps what operators change. */
  readonly trail: Pick<AuditTrail, 'begin'>;
  readonly environment: Environment;
  readonly stores: GatewayStores;
  readonly keyRing: Pick<KeyRing, 'forgetHash' | 'forgetTenant'>;
  readonly bus: Pick<Bus, 'deadLetters' | 'redrive' | 'deleteDeadLetters'>;
  readonly services: Pick<ServiceClient, 'call'>;
  /** Passes a call on to a service as it is. */
  readonly relay: Relayed;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whom tokens belong to. */
  readonly operators: Pick<OperatorRing, 'authenticate' | 'forget'>;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
  /** Adds what is served without a token: the page on which operators sign in. */
  readonly addPage: (router: Router) => void;
  /** Responds whether every service can work. */
  readonly status: RequestHandler;
}

/** Most warehouses in their list. */
const MAX_WAREHOUSES = 10_000;

const warehouseCreation = compileValidator(WarehouseCreation);
const warehouseRenaming = compileValidator(WarehouseRenaming);
const redriveRequest = compileValidator(RedriveRequest);
const discardRequest = compileValidator(DiscardRequest);
const deadLetterQuery = compileValidator(DeadLetterQuery);
const unclaimedQuery = compileValidator(UnclaimedQuery);
const resolutionQuery = compileValidator(ResolutionQuery);

const KNOWN_TOPICS: readonly string[] = consumedTopics;

function assertKnownTopic(topic: string): void {
  if (KNOWN_TOPICS.includes(topic)) return;
  throw AppError.validation([{ field: 'topic', rule: 'enum', message: `topic must be one of ${KNOWN_TOPICS.join(', ')}` }]);
}

function warehouseRoutes(router: Router, options: AdminOptions): void {
  const changed = (res: Response, warehouse: WarehouseRecord): void => {
    options.notify();
    sendOk(res, viewWarehouse(warehouse));
  };
  router.post('/admin/v1/warehouses', jsonBody(), async (req, res) => {
    changed(res, await addWarehouse(options, warehouseCreation.parse(req.body)));
  });
  router.get('/admin/v1/warehouses', async (_req, res) => {
    sendOk(res, { warehouses: (await options.stores.warehouses.list(MAX_WAREHOUSES)).map(viewWarehouse) });
  });
  router.patch('/admin/v1/warehouses/:code', jsonBody(), async (req, res) => {
    changed(res, await renameWarehouse(options, String(req.params.code), warehouseRenaming.parse(req.body).name));
  });
  router.post('/admin/v1/warehouses/:code/close', async (req, res) => {
    changed(res, await closeWarehouse(options, String(req.params.code)));
  });
}

function operationRoutes(router: Router, options: AdminOptions): void {
  const system = platformPrincipal(options.environment);
  const forecasts = createForecastDirectory(options.services, options.environment);
  router.get('/admin/v1/status', options.status);
  adminQueueRoutes(router, options);
  router.get('/admin/v1/dead-letters', async (req, res) => {
    const { topic, limit } = parseQuery(req, deadLetterQuery);
    assertKnownTopic(topic);
    const deadLetters = await options.bus.deadLetters(topic, Number(limit ?? 100));
    sendOk(res, { dead_letters: deadLetters.map(viewDeadLetter) });
  });
  router.post('/admin/v1/dead-letters/redrive', jsonBody(), async (req, res) => {
    const { topic, limit } = redriveRequest.parse(req.body);
    assertKnownTopic(topic);
    const { redriven, passedOver } = await redriveDeadLetters({ bus: options.bus, forecasts }, topic, limit ?? 1000);
    sendOk(res, { redriven, passed_over: passedOver });
  });
  router.post('/admin/v1/dead-letters/discard', jsonBody(), async (req, res) => {
    const { topic, dead_letters: named } = discardRequest.parse(req.body);
    assertKnownTopic(topic);
    const discarded = await options.bus.deleteDeadLetters(topic, named);
    sendOk(res, { discarded: discarded.length, dead_letters: discarded.map(viewDeadLetter) });
  });
  router.get('/admin/v1/unclaimed', async (req, res) => {
    const { limit = '100', reason } = parseQuery(req, unclaimedQuery);
    const path = `/internal/v1/unclaimed?${new URLSearchParams({ limit, ...(reason !== undefined && { reason }) })}`;
    sendOk(res, await options.services.call<object>({ service: 'warehouse-intake', method: 'GET', path, principal: system }));
  });
  router.get('/admin/v1/resolutions', async (req, res) => {
    const { limit = '100', warehouse_code } = parseQuery(req, resolutionQuery);
    const path = `/internal/v1/resolutions?${new URLSearchParams({ limit, ...(warehouse_code !== undefined && { warehouse_code }) })}`;
    sendOk(res, await options.services.call<object>({ service: 'warehouse-intake', method: 'GET', path, principal: system }));
  });
}

/**
 * The operator's API: tenants, keys, warehouses, connections, dead letters. It does not listen; serve it on an address that is not public.
 * @throws Error when a route has no role
 */
export function createAdminApp(options: AdminOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use((req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = requestIdFrom(typeof given === 'string' ? given : null);
    req.headers['x-request-id'] = requestId;
    res.setHeader('X-Request-Id', requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  const page = Router({ caseSensitive: true, strict: true });
  options.addPage(page);
  app.use(page);
  app.use(requireOperator(options));
  app.use((req, _res, next) => {
    assertPlainPath(req.url);
    next();
  });
  const exports = new ExportCursors(options.fileSecrets, options.clock);
  const audit = { trail: options.trail, keys: options.stores.keys, exports };
  const { router, assertComplete } = createGuardedRouter(adminRoles, (route) => auditRoute(route, audit));
  adminTenantRoutes(router, options);
  adminParcelRoutes(router, options);
  adminRetentionRoutes(router, options);
  adminDeclaredNumbersRoutes(router, options);
  adminKeyRoutes(router, options);
  adminListRoutes(router, options);
  warehouseRoutes(router, options);
  operationRoutes(router, options);
  warehouseWorkRoutes(router, options);
  endpointRoutes(router, options);
  connectionRoutes(router, options);
  adminTenantDataRoutes(router, { ...options, exports });
  adminOperatorRoutes(router, options);
  adminActivityRoutes(router, options);
  adminConsoleLinkRoutes(router, options);
  assertComplete();
  app.use(router);
  app.use(() => {
    throw new AppError('40402');
  });
  app.use(errorHandler(options.logger));
  return app;
}
