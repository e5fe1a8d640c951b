import type { TableRoute } from './route-table.ts';

/** What the gateway keeps to one service, and what of it one client may hold. */
export const upstreamLimits = {
  /** Requests that a service handles at once. Requests beyond the share of their holder wait. */
  connections: { capacity: 256, part: 1 },
  /** Requests with large bodies. A slow client holds its place until it has sent the body. The next one is refused. */
  uploads: { capacity: 512, part: 0.25 },
  /** Streamed responses. Each holds its place until its client has read it. Distributed, the next one is refused; embedded, it keeps its other place. */
  streams: { capacity: 128, part: 1 },
  /** Requests in progress, including those that wait. The next one is refused and may be retried. */
  underWay: { capacity: 2048, part: 1 },
  /** The gateway reads bodies up to this size before it calls the service, which never waits for a slow client. */
  smallBodyBytes: 64 * 1024,
  /** Unread bytes of large responses, embedded. The next large response is refused. */
  unreadBytes: { capacity: 128 * 1024 * 1024, part: 1 },
} as const;

/** Routes, by their id, whose service stops when its client goes away: it waits for something to happen, or reads a file. Any other request is worked on to its end. */
export const waitingRoutes: readonly string[] = ['listen', 'previewImport', 'openFile'];

/**
 * Routes, by their id, whose service waits for somebody else before it responds: a carrier, an endpoint, the object store, other services, or an event; or
 * whose work grows with what is asked. A silence says little there. Any other request has a response within the deadlines of the service's store.
 */
export const slowRoutes: ReadonlySet<string> = new Set([
  'listen',
  'queryTracking',
  'testConnection',
  'createConnection',
  'updateConnection',
  'sendTestEvent',
  'replayDeliveries',
  'simulate',
  'openFile',
  'openPhoto',
  'submitForecastBatch',
  'exportForecasts',
  'getFailedRows',
]);

/**
 * Routes, by their id, whose response comes as it is made, and how long their service may be silent in the middle of it, in milliseconds: an export finds
 * few forecasts of many.
 */
export const streamedRoutes: Readonly<Record<string, number>> = { exportForecasts: 600_000 };

/** How long an upload may wait for its service, which stores it before it responds. */
const UPLOAD_TIMEOUT_MS = 120_000;

/** How long a request may wait for its turn and for the head of the response, milliseconds. @param timeoutMs for everything but uploads */
export function responseTimeoutMs(route: TableRoute | null, timeoutMs: number): number {
  return route?.rateClass === 'upload' ? UPLOAD_TIMEOUT_MS : timeoutMs;
}
