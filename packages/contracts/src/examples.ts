import { readFileSync } from 'node:fs';
import type { DomainEvent } from './cloud-event.ts';
import type { DomainEventType } from './domain-events.ts';
import type { WarehouseEvent, WarehouseEventType } from './warehouse-api.ts';
import type { WarehouseForecastChange } from './warehouse-change.ts';
import type { WebhookBodies } from './webhook-bodies.ts';

/*
 * The examples of the API documents, which are about the parcel of example-parcel.ts. Each is data in the folder `examples`; a test holds each against its
 * schema.
 */

/** Example of one route, for the API reference. */
export interface RouteExample {
  /** Bodies by a short name; empty when the route takes none, or an upload. The API reference fills in the first. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** Name of a request → what it needs before it can be sent; only for requests that need something. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Parameters of the query that the API reference fills in: only values that mean the same to every reader. */
  readonly query?: Readonly<Record<string, string>>;
  /** `data` of the response; undefined when that is a file. */
  readonly data?: unknown;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`./examples/${name}.json`, import.meta.url), 'utf8'));

/** The files of the routes, in the order in which the reference shows them. */
const groups = ['forecasts', 'batches', 'files', 'imports', 'carriers', 'warehouses', 'account', 'webhooks', 'sandbox'];

/** Route id → example. Complete over the routes. */
export const routeExamples: Readonly<Record<string, RouteExample>> = Object.assign({}, ...groups.map((name) => read(`routes/${name}`)));

/** Parameter of a path or query → example. */
export const parameterExamples = read('parameters') as Readonly<Record<string, string | number>>;

/** One domain event of each type, in its envelope: the way of one parcel through the platform. */
export const domainEventExamples = read('events') as { readonly [T in DomainEventType]: DomainEvent<T> };

/** One report of each kind, as a warehouse sends it. */
export const warehouseEventExamples = read('reports') as { readonly [T in WarehouseEventType]: Extract<WarehouseEvent, { type: T }> };

/** One body of each webhook, as a merchant receives it. */
export const webhookExamples = read('webhooks') as WebhookBodies;

/** A message of the topic `warehouse.expected.v1`. */
export const exampleChange = read('forecast-change') as WarehouseForecastChange;
