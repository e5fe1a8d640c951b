import { DeadLetterQuery, DiscardRequest, RedriveRequest, WarehouseCreation, WarehouseRenaming } from '@parcelway/contracts/admin-api';
import { NumberLimit, type TenantNumbers, type TenantNumbersList } from '@parcelway/contracts/declared-numbers-api';
import type { PlatformQueues, ServiceQueues } from '@parcelway/contracts/queues-api';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { consumedTopics } from '@parcelway/contracts/topics';
import { ResolutionQuery } from '@parcelway/contracts/unclaimed-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { UnclaimedQuery } from '@parcelway/contracts/warehouse-api';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import type { Response, Router } from 'express';
import { platformPrincipal } from '../../tenants/adapters/principals.ts';
import type { WarehouseRecord } from '../../tenants/domain/records.ts';
import { findTenant } from '../../tenants/manage-tenants.ts';
import { addWarehouse, closeWarehouse, renameWarehouse } from '../../tenants/manage-warehouses.ts';
import { redriveDeadLetters } from '../redrive-dead-letters.ts';
import type { AdminOptions } from './admin-options.ts';
import { viewDeadLetter, viewWarehouse } from './admin-views.ts';
import { createExistingForecasts } from './existing-forecasts.ts';

/** Longer than a service reads its gauges. */
const TIMEOUT_MS = 5000;

/** The operator's route of what waits. A service that is out, or does not know the route yet, is named. */
function adminQueueRoutes(router: Router, { environment, services, ownQueues }: AdminOptions): void {
  const principal = platformPrincipal(environment);
  const queuesOf = (service: ServiceName): Promise<ServiceQueues> =>
    service === 'gateway'
      ? ownQueues()
      : services.call<ServiceQueues>({ service, method: 'GET', path: '/internal/v1/queues', principal, timeoutMs: TIMEOUT_MS });
  router.get('/admin/v1/queues', async (_req, res) => {
    const read = await Promise.allSettled(serviceNames.map(queuesOf));
    const data: PlatformQueues = { queues: [], unknown: [] };
    for (const [index, service] of serviceNames.entries()) {
      const result = read[index];
      if (result?.status === 'fulfilled') data.queues.push(...result.value.queues.map((queue) => ({ service, ...queue })));
      else data.unknown.push(service);
    }
    sendOk(res, data);
  });
}

const NUMBERS_PATH = '/internal/v1/declared-numbers';
const numberLimit = compileValidator(NumberLimit);

/** Which tenants declare many logistics numbers that no warehouse has seen, and how many they may. */
function adminDeclaredNumbersRoutes(router: Router, { environment, stores, services }: AdminOptions): void {
  const principal = platformPrincipal(environment);
  router.get('/admin/v1/declared-numbers', async (_req, res) => {
    const found = await services.call<TenantNumbersList>({ service: 'warehouse-intake', method: 'GET', path: NUMBERS_PATH, principal });
    const named = found.tenants.map(async (one) => ({ ...one, tenant_name: (await stores.tenants.find(one.tenant_id))?.name ?? null }));
    sendOk(res, { tenants: await Promise.all(named) });
  });
  router.patch('/admin/v1/tenants/:id/declared-numbers', jsonBody(), async (req, res) => {
    const { limit } = numberLimit.parse(req.body);
    const tenant = await findTenant(stores, String(req.params['id']));
    const body = { tenant_id: tenant.id, limit };
    sendOk(res, await services.call<TenantNumbers>({ service: 'warehouse-intake', method: 'POST', path: NUMBERS_PATH, principal, body }));
  });
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

/** Operator routes for warehouses, queues, dead letters and unclaimed parcels. */
export function adminOperationRoutes(router: Router, options: AdminOptions): void {
  const system = platformPrincipal(options.environment);
  const existing = createExistingForecasts(options.services, options.environment);
  router.get('/admin/v1/status', options.status);
  warehouseRoutes(router, options);
  adminQueueRoutes(router, options);
  adminDeclaredNumbersRoutes(router, options);
  router.get('/admin/v1/dead-letters', async (req, res) => {
    const { topic, limit } = parseQuery(req, deadLetterQuery);
    assertKnownTopic(topic);
    const deadLetters = await options.bus.deadLetters(topic, Number(limit ?? 100));
    sendOk(res, { dead_letters: deadLetters.map(viewDeadLetter) });
  });
  router.post('/admin/v1/dead-letters/redrive', jsonBody(), async (req, res) => {
    const { topic, limit } = redriveRequest.parse(req.body);
    assertKnownTopic(topic);
    const { redriven, passedOver } = await redriveDeadLetters({ bus: options.bus, existing }, topic, limit ?? 1000);
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
