/*
 * How long connections between services stay open without a request. A server cannot close an idle connection safely: a request may be
 * on its way over it and would be lost. The client can. So clients close idle connections before a draining server does.
 */

/** A client of another service closes a connection that has been idle for this long. */
export const CLIENT_IDLE_MS = 2000;

/** A draining server closes a connection that has been idle for this long. A client of the platform closes it earlier; the margin allows for paused machines. */
export const DRAIN_IDLE_MS = 4000;

/** For undici: the servers name a longer time in `Keep-Alive`, which must not override it. */
export const clientKeepAlive = { keepAliveTimeout: CLIENT_IDLE_MS, keepAliveMaxTimeout: CLIENT_IDLE_MS } as const;
