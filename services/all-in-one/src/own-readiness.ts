import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/* Imports nothing but Node: the health check of a container starts it every few seconds. */

/** Below the deadline of the health check itself, so that the check says what went wrong. */
const RESPONSE_MS = 3000;

/** Status of `GET /readyz` on loopback. @throws Error when there is no response in time */
function statusOf(scheme: 'http' | 'https', port: string, responseMs: number): Promise<number> {
  const options = {
    host: '127.0.0.1',
    port,
    path: '/readyz',
    agent: false as const,
    signal: AbortSignal.timeout(responseMs),
    // With TLS=off the gateway expects to hear from the proxy in front of it.
    headers: { 'x-forwarded-proto': 'https' },
  };
  return new Promise((resolve, reject) => {
    const responded = (response: { statusCode?: number | undefined; resume(): unknown }): void => {
      response.resume();
      resolve(response.statusCode ?? 0);
    };
    const asked =
      scheme === 'http'
        ? requestHttp(options, responded)
        : // The certificate names the public address; who listens on our own loopback needs no proof.
          requestHttps({ ...options, rejectUnauthorized: false }, responded);
    asked.once('error', reject).end();
  });
}

/**
 * Whether what runs in this container is ready: the service on SERVICE_PORT, or, where nothing listens there, all
 * services in one process behind PORT.
 * @param env TLS, PORT and SERVICE_PORT as the process in the container has them
 * @param responseMs milliseconds, default 3 s
 * @throws Error when nothing listens, or does not respond within that time
 */
export async function isReady(env: Readonly<Record<string, string | undefined>>, responseMs = RESPONSE_MS): Promise<boolean> {
  const { SERVICE_PORT = '8080', PORT = '8443', TLS } = env;
  try {
    return (await statusOf('http', SERVICE_PORT, responseMs)) === 200;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    return (await statusOf(TLS === 'off' ? 'http' : 'https', PORT, responseMs)) === 200;
  }
}
