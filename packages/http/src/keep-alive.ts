/*
 * How long connections between services stay open without a request. A server cannot close an idle connection without a risk: a request
 * may be on its way over it, and is lost then. Its client can. So clients close idle connections before a server that drains does.
 */

/** A client of another service closes a connection that has been idle for this long. */
export const CLIENT_IDLE_MS = 2000;

/** A server that drains closes a connection that has been idle for this long: its client has done so before, if it is one of ours. The difference is for machines that stand still. */
export const DRAIN_IDLE_MS = 4000;

/** For undici: the servers name a longer time in `Keep-Alive`, which must not override it. */
export const clientKeepAlive = { keepAliveTimeout: CLIENT_IDLE_MS, keepAliveMaxTimeout: CLIENT_IDLE_MS } as const;
