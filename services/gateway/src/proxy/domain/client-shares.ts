/** What the gateway keeps to one service, and what of it one client may hold. */
export const upstreamLimits = {
  /** Requests that are worked on. Those beyond the share of their holder wait in turn. */
  connections: { capacity: 256, part: 1 },
  /** Requests with bodies that arrive no faster than their clients send them: slow clients hold up each other at most. One more upload is refused. */
  uploads: { capacity: 512, part: 0.25 },
  /** Large responses of a service of another process: each holds a connection to it until its client has read it. One more is refused. */
  streams: { capacity: 128, part: 1 },
  /** Other requests under way, those that wait for their turn included; the next one is refused and may be retried. */
  underWay: { capacity: 2048, part: 1 },
  /** Bodies up to this size are read whole before the service hears of the request: it never waits for a slow client. */
  smallBodyBytes: 64 * 1024,
  /** Bytes of large responses that services of this process have made and clients have not read yet. One more response is refused. */
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
