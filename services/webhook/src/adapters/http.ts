import type { Environment } from '@parcelway/contracts/environment';
import { EventFeedQuery } from '@parcelway/contracts/event-feed-api';
import { ListenQuery } from '@parcelway/contracts/sandbox-api';
import { compileValidator, type Validator } from '@parcelway/contracts/validator';
import { DeliveryListQuery, ReplayRequest, TestRequest } from '@parcelway/contracts/webhook-delivery-api';
import { EndpointChange, EndpointCreation, RotationRequest } from '@parcelway/contracts/webhook-endpoint-api';
import { EndpointFiguresQuery } from '@parcelway/contracts/webhook-figures-api';
import { webhookRoutes } from '@parcelway/contracts/webhook-routes';
import { tenantOf } from '@parcelway/http/app';
import { addContractRoutes, type RouteResponse } from '@parcelway/http/contract-routes';
import { type Idempotency, seedOf } from '@parcelway/http/idempotency';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { parseQuery } from '@parcelway/http/query';
import { createSealedCursors, type SealedCursors } from '@parcelway/http/sealed-cursor';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointManager } from '../endpoints/manage-endpoints.ts';
import type { EventFeed } from '../feed/event-feed.ts';
import type { Listener } from '../feed/listen.ts';
import type { EventAcceptance } from '../intake/accept-events.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import type { DeliveryLog } from '../queue/delivery-log.ts';
import type { EndpointFiguresReader } from '../queue/endpoint-figures.ts';
import type { Redeliverer } from '../queue/redeliver.ts';
import { attemptView, deliveryView, endpointView, endpointWithSecretView, typesOf } from './http-views.ts';

/** Cursors for the places of the stores, a kind for each list. @param secrets of the installation */
export function createWebhookCursors(secrets: readonly string[]) {
  const cursorsOf = (list: string): SealedCursors => createSealedCursors(secrets, `webhook ${list}`);
  return { deliveries: cursorsOf('deliveries'), feed: cursorsOf('feed'), replays: cursorsOf('replays') };
}

export interface WebhookApi {
  readonly endpoints: EndpointManager;
  readonly acceptance: Pick<EventAcceptance, 'sendTest'>;
  readonly redeliverer: Redeliverer;
  readonly log: DeliveryLog;
  readonly figures: EndpointFiguresReader;
  readonly feed: EventFeed;
  readonly listener: Listener;
  readonly cursors: ReturnType<typeof createWebhookCursors>;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
}

type Handler = RouteResponse<string>;

const DEFAULT_PAGE = 20;
const FEED_PAGE = 100;
const DEFAULT_WAIT_SECONDS = 20;
/** Attempts that are listed; a delivery that was resent over and over has its newest ones here. */
const MAX_ATTEMPTS_LISTED = 200;

const creation = compileValidator(EndpointCreation);
const changes = compileValidator(EndpointChange);
const rotations = compileValidator(RotationRequest);
const tests = compileValidator(TestRequest);
const replays = compileValidator(ReplayRequest);
const feedQuery = compileValidator(EventFeedQuery);
const listenQuery = compileValidator(ListenQuery);
const listQuery = compileValidator(DeliveryListQuery);
const figuresQuery = compileValidator(EndpointFiguresQuery);

const invalidCursor: FieldError = { field: 'cursor', rule: 'format', message: 'cursor must be the next_cursor of the previous page' };

/** @throws AppError 42201 when the text of the field is no cursor of the list */
function placeIn(list: SealedCursors, tenantId: string, text: string, field: 'after' | 'cursor'): string {
  const place = list.open(tenantId, text);
  if (place !== undefined) return place;
  throw AppError.validation([{ field, rule: 'format', message: `${field} must be the next_cursor of an earlier response` }]);
}

const endpointIdOf = (req: Request): string => String(req.params['endpoint_id']);
const deliveryIdOf = (req: Request): string => String(req.params['delivery_id']);

/** What is judged beyond the shape, as far as the shape is right. */
function judgeable(body: unknown, errors: readonly FieldError[]): Parameters<EndpointManager['refusals']>[0] {
  const given = Object(body) as Pick<EndpointCreation, 'url' | 'headers'>;
  const isRight = (name: string): boolean => !errors.some(({ field }) => field === name || field.startsWith(`${name}.`));
  return {
    ...(typeof given.url === 'string' && isRight('url') ? { url: given.url } : {}),
    ...(isRight('headers') ? { headers: given.headers } : {}),
  };
}

/**
 * A body that describes an endpoint. When fields have the wrong shape, what the use case would say of the others is asked for here,
 * so that all faults come at once; otherwise the use case says it.
 * @throws AppError 42201 with all field errors
 */
async function parseEndpoint<T>(validator: Validator<T>, body: unknown, endpoints: EndpointManager): Promise<T> {
  const errors = validator.errors(body);
  if (errors.length === 0) return body as T;
  throw AppError.validation([...(await endpoints.refusals(judgeable(body, errors))), ...errors]);
}

/** The settings of an endpoint in a body, in our own names. */
function settingsOf(body: EndpointCreation | EndpointChange) {
  const { url, event_types, description, filter, headers, metadata, rate_limit, payload } = body;
  return { url, eventTypes: event_types, description, filter, headers, metadata, rateLimit: rate_limit, payload };
}

function endpointResponses({ endpoints, acceptance, clock }: WebhookApi): Record<string, Handler> {
  return {
    async createEndpoint(req, tenantId) {
      const body = await parseEndpoint(creation, req.body, endpoints);
      const created = await endpoints.create(tenantId, { ...settingsOf(body), url: body.url }, seedOf(req));
      return { ...endpointWithSecretView(created, clock.now()), warnings: bodyWarnings(body, creation.fields) };
    },
    async listEndpoints(_req, tenantId) {
      return { endpoints: (await endpoints.list(tenantId)).map((endpoint) => endpointView(endpoint, clock.now())) };
    },
    async getEndpoint(req, tenantId) {
      return endpointView(await endpoints.get(tenantId, endpointIdOf(req)), clock.now());
    },
    async updateEndpoint(req, tenantId) {
      const body = await parseEndpoint(changes, req.body, endpoints);
      const changed = await endpoints.update(tenantId, endpointIdOf(req), { ...settingsOf(body), status: body.status });
      return { ...endpointView(changed, clock.now()), warnings: bodyWarnings(body, changes.fields) };
    },
    async deleteEndpoint(req, tenantId) {
      await endpoints.remove(tenantId, endpointIdOf(req));
      return { endpoint_id: endpointIdOf(req), deleted: true };
    },
    async rotateSecret(req, tenantId) {
      const body = rotations.parse(req.body);
      const rotated = await endpoints.rotateSecret(tenantId, endpointIdOf(req), body.end_former_secret === true, seedOf(req));
      return { ...endpointWithSecretView(rotated, clock.now()), warnings: bodyWarnings(body, rotations.fields) };
    },
    async sendTestEvent(req, tenantId) {
      const endpoint = await endpoints.get(tenantId, endpointIdOf(req));
      const body = tests.parse(req.body);
      const delivery = await acceptance.sendTest(tenantId, endpoint.endpointId, body.event_type, seedOf(req));
      return { ...deliveryView(delivery, endpoint, clock.now()), warnings: bodyWarnings(body, tests.fields) };
    },
  };
}

function deliveryResponses({ endpoints, log, figures, redeliverer, cursors, clock }: WebhookApi): Record<string, Handler> {
  async function deliveryOf(req: Request, tenantId: string): Promise<{ readonly endpoint: Endpoint; readonly delivery: Delivery }> {
    const endpoint = await endpoints.get(tenantId, endpointIdOf(req));
    const delivery = await log.get(tenantId, endpoint.endpointId, deliveryIdOf(req));
    if (!delivery) throw new AppError('40403', 'The delivery does not exist');
    return { endpoint, delivery };
  }

  return {
    async listDeliveries(req, tenantId) {
      const endpoint = await endpoints.get(tenantId, endpointIdOf(req));
      let before: string | null = null;
      const { status, event_id, limit } = parseQuery(req, listQuery, {
        cursor(text) {
          before = cursors.deliveries.open(tenantId, text) ?? null;
          return before === null ? invalidCursor : undefined;
        },
      });
      if (event_id !== undefined) {
        const one = await log.ofEvent(tenantId, endpoint.endpointId, event_id);
        const fits = one !== undefined && (status === undefined || one.status === status);
        return { deliveries: fits ? [deliveryView(one, endpoint, clock.now())] : [], next_cursor: null };
      }
      const page = await log.list(tenantId, endpoint.endpointId, { status, limit: Number(limit ?? DEFAULT_PAGE), before });
      const now = clock.now();
      return {
        deliveries: page.deliveries.map((delivery) => deliveryView(delivery, endpoint, now)),
        next_cursor: page.next === null ? null : cursors.deliveries.seal(tenantId, page.next),
      };
    },
    async getDelivery(req, tenantId) {
      const { endpoint, delivery } = await deliveryOf(req, tenantId);
      const body = await log.body(tenantId, delivery.eventId);
      if (body === undefined) throw new AppError('40403', 'The delivery does not exist');
      return { ...deliveryView(delivery, endpoint, clock.now()), body };
    },
    async listAttempts(req, tenantId) {
      const { endpoint, delivery } = await deliveryOf(req, tenantId);
      const attempts = await log.attempts(tenantId, endpoint.endpointId, delivery.deliveryId, MAX_ATTEMPTS_LISTED);
      return { attempts: attempts.map(attemptView) };
    },
    getEndpointFigures: (req, tenantId) => figures(tenantId, endpointIdOf(req), parseQuery(req, figuresQuery)),
    async resendDelivery(req, tenantId) {
      const endpoint = await endpoints.get(tenantId, endpointIdOf(req));
      return deliveryView(await redeliverer.resend(tenantId, endpoint.endpointId, deliveryIdOf(req)), endpoint, clock.now());
    },
    async replayDeliveries(req, tenantId) {
      await endpoints.get(tenantId, endpointIdOf(req));
      const body = replays.parse(req.body);
      const { since, until, only, cursor } = body;
      const after = cursor === undefined ? undefined : placeIn(cursors.replays, tenantId, cursor, 'cursor');
      const range = { since: Date.parse(since), until: until === undefined ? undefined : Date.parse(until), only, after };
      const { scheduled, next } = await redeliverer.replay(tenantId, endpointIdOf(req), range);
      return {
        scheduled,
        next_cursor: next === null ? null : cursors.replays.seal(tenantId, next),
        warnings: bodyWarnings(body, replays.fields),
      };
    },
  };
}

/** A signal that aborts when the caller goes away. */
function goneSignal(req: Request): AbortSignal {
  const controller = new AbortController();
  req.res?.once('close', () => controller.abort());
  return controller.signal;
}

function feedResponses({ feed, listener, cursors }: WebhookApi): Record<string, Handler> {
  return {
    async listEvents(req, tenantId) {
      const { after, since, event_types, po_number, limit } = parseQuery(req, feedQuery);
      const from =
        after === undefined
          ? { since: since === undefined ? null : Date.parse(since) }
          : { after: placeIn(cursors.feed, tenantId, after, 'after') };
      const page = await feed.page(
        tenantId,
        from,
        { types: typesOf(event_types), poNumber: po_number ?? null },
        Number(limit ?? FEED_PAGE),
      );
      return {
        events: page.events.map(({ body }) => JSON.parse(body) as object),
        next_cursor: cursors.feed.seal(tenantId, page.next),
        has_more: page.more,
      };
    },
    async listen(req, tenantId) {
      const { after, endpoint_id, event_types, wait } = parseQuery(req, listenQuery);
      const result = await listener.listen(
        tenantId,
        {
          after: after === undefined ? null : placeIn(cursors.feed, tenantId, after, 'after'),
          endpointId: endpoint_id ?? null,
          types: typesOf(event_types),
          waitMs: Number(wait ?? DEFAULT_WAIT_SECONDS) * 1000,
        },
        goneSignal(req),
      );
      return {
        secret: result.secret,
        messages: result.messages.map(({ eventId, type, headers, body }) => ({ event_id: eventId, event_type: type, headers, body })),
        next_cursor: cursors.feed.seal(tenantId, result.next),
      };
    },
  };
}

/** Adds the routes of the contract that exist in the environment; throws when one of them has no response here. */
export function addWebhookRoutes(router: Router, api: WebhookApi, environment: Environment): void {
  const responses = { ...endpointResponses(api), ...deliveryResponses(api), ...feedResponses(api) };
  const routes = webhookRoutes.filter(({ sandboxOnly }) => !sandboxOnly || environment === 'sandbox');
  addContractRoutes(router, routes, { responses, callerOf: tenantOf, once: (id) => api.idempotency.route(id, tenantOf) });
}
