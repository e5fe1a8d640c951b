import type { RouteDefinition } from '@parcelway/contracts/route';
import { compileValidator, type Validator } from '@parcelway/contracts/validator';
import { DeliveryListQuery, EndpointChange, EndpointCreation, ReplayRequest } from '@parcelway/contracts/webhook-api';
import { webhookRoutes } from '@parcelway/contracts/webhook-routes';
import { sendOk } from '@parcelway/http/answer';
import { tenantOf } from '@parcelway/http/app';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { AppError } from '@parcelway/kernel/app-error';
import type { Request, Router } from 'express';
import type { EventAcceptance } from '../accept-event.ts';
import type { EndpointManager } from '../manage-endpoints.ts';
import type { DeliveryLog } from '../ports.ts';
import type { Redeliverer } from '../redeliver.ts';
import { attemptView, cursorError, cursorOf, deliveryView, endpointView, endpointWithSecretView, placeOf } from './http-views.ts';

/** Use cases behind the routes. */
export interface WebhookApi {
  readonly endpoints: EndpointManager;
  readonly acceptance: Pick<EventAcceptance, 'sendTest'>;
  readonly redeliverer: Redeliverer;
  readonly log: DeliveryLog;
}

/** Answers one route with `data`. */
type Answer = (req: Request, tenantId: string) => Promise<object>;

const DEFAULT_PAGE = 20;
/** Attempts that are listed; a delivery that was resent over and over has its newest ones here. */
const MAX_ATTEMPTS_LISTED = 200;

const creation = compileValidator(EndpointCreation);
const changes = compileValidator(EndpointChange);
const replays = compileValidator(ReplayRequest);
const listQuery = compileValidator(DeliveryListQuery);

const endpointIdOf = (req: Request): string => String(req.params['endpoint_id']);
const deliveryIdOf = (req: Request): string => String(req.params['delivery_id']);

/**
 * A body that may name a receiver. When other fields are wrong, its URL is judged here, so that all faults come at once;
 * otherwise the use case judges it.
 * @throws AppError 42201 with all field errors
 */
async function parseWithUrl<T>(validator: Validator<T>, body: unknown, endpoints: EndpointManager): Promise<T> {
  const errors = validator.errors(body);
  if (errors.length === 0) return body as T;
  const { url } = (body ?? {}) as { readonly url?: unknown };
  const mayBeJudged = typeof url === 'string' && !errors.some(({ field }) => field === 'url');
  const refusal = mayBeJudged ? await endpoints.urlRefusal(url) : undefined;
  throw AppError.validation(refusal ? [refusal, ...errors] : errors);
}

function endpointAnswers({ endpoints, acceptance }: WebhookApi): Record<string, Answer> {
  return {
    async createEndpoint(req, tenantId) {
      const { url, event_types, description } = await parseWithUrl(creation, req.body, endpoints);
      return endpointWithSecretView(await endpoints.create(tenantId, { url, eventTypes: event_types, description }));
    },
    async listEndpoints(_req, tenantId) {
      return { endpoints: (await endpoints.list(tenantId)).map(endpointView) };
    },
    async getEndpoint(req, tenantId) {
      return endpointView(await endpoints.get(tenantId, endpointIdOf(req)));
    },
    async updateEndpoint(req, tenantId) {
      const { url, event_types, description, status } = await parseWithUrl(changes, req.body, endpoints);
      return endpointView(await endpoints.update(tenantId, endpointIdOf(req), { url, eventTypes: event_types, description, status }));
    },
    async deleteEndpoint(req, tenantId) {
      await endpoints.remove(tenantId, endpointIdOf(req));
      return { endpoint_id: endpointIdOf(req), deleted: true };
    },
    async rotateSecret(req, tenantId) {
      return endpointWithSecretView(await endpoints.rotateSecret(tenantId, endpointIdOf(req)));
    },
    async sendTestEvent(req, tenantId) {
      return deliveryView(await acceptance.sendTest(tenantId, endpointIdOf(req)));
    },
  };
}

function deliveryAnswers({ endpoints, log, redeliverer }: WebhookApi): Record<string, Answer> {
  return {
    async listDeliveries(req, tenantId) {
      const { endpointId } = await endpoints.get(tenantId, endpointIdOf(req));
      const { status, limit, cursor } = parseQuery(req, listQuery, { cursor: cursorError });
      const before = cursor === undefined ? null : placeOf(cursor);
      const page = await log.list(tenantId, endpointId, { status, limit: Number(limit ?? DEFAULT_PAGE), before });
      return { deliveries: page.deliveries.map(deliveryView), next_cursor: page.next === null ? null : cursorOf(page.next) };
    },
    async listAttempts(req, tenantId) {
      const { endpointId } = await endpoints.get(tenantId, endpointIdOf(req));
      const delivery = await log.get(tenantId, endpointId, deliveryIdOf(req));
      if (!delivery) throw new AppError('40403', 'The delivery does not exist');
      return { attempts: (await log.attempts(tenantId, endpointId, delivery.deliveryId, MAX_ATTEMPTS_LISTED)).map(attemptView) };
    },
    async resendDelivery(req, tenantId) {
      return deliveryView(await redeliverer.resend(tenantId, endpointIdOf(req), deliveryIdOf(req)));
    },
    async replayDeliveries(req, tenantId) {
      await endpoints.get(tenantId, endpointIdOf(req));
      const { since, until, only } = replays.parse(req.body);
      const range = { since: Date.parse(since), until: until === undefined ? undefined : Date.parse(until), only };
      return { scheduled: await redeliverer.replay(tenantId, endpointIdOf(req), range) };
    },
  };
}

function addRoute(router: Router, route: RouteDefinition, answer: Answer): void {
  const method = route.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
  const path = route.path.replaceAll(/\{([a-z_]+)\}/g, ':$1');
  if (route.body !== undefined) router[method](path, jsonBody());
  router[method](path, async (req, res) => {
    sendOk(res, await answer(req, tenantOf(req)), { status: route.success });
  });
}

/** Adds the routes of the contract; throws when one of them has no answer here. */
export function addWebhookRoutes(router: Router, api: WebhookApi): void {
  const answers = { ...endpointAnswers(api), ...deliveryAnswers(api) };
  for (const route of webhookRoutes) {
    const answer = answers[route.id];
    if (!answer) throw new Error(`No answer for the route ${route.id}`);
    addRoute(router, route, answer);
  }
}
