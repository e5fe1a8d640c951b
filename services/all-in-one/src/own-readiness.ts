import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/* Imports nothing but Node: the health check of a container starts it every few seconds. */

/** Below the deadline of the health check itself, so that the check says what went wrong. */
const ANSWER_MS = 3000;

/** Status of `GET /readyz` on loopback. @throws Error when there is no answer in time */
function statusOf(scheme: 'http' | 'https', port: string): Promise<number> {
  const options = {
    host: '127.0.0.1',
    port,
    path: '/readyz',
    agent: false as const,
    signal: AbortSignal.timeout(ANSWER_MS),
    // With TLS=off the gateway expects to hear from the proxy in front of it.
    headers: { 'x-forwarded-proto': 'https' },
  };
  return new Promise((resolve, reject) => {
    const answered = (answer: { statusCode?: number | undefined; resume(): unknown }): void => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    };
    const asked =
      scheme === 'http'
        ? requestHttp(options, answered)
        : // The certificate names the public address; who listens on our own loopback needs no proof.
          requestHttps({ ...options, rejectUnauthorized: false }, answered);
    asked.once('error', reject).end();
  });
}

/**
 * Whether what runs in this container is ready: the service on SERVICE_PORT, or, where nothing listens there, all
 * services in one process behind PORT.
 * @param env TLS, PORT and SERVICE_PORT as the process in the container has them
 * @throws Error when nothing listens, or does not answer within 3 s
 */
export async function isReady(env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const { SERVICE_PORT = '8080', PORT = '8443', TLS } = env;
  try {
    return (await statusOf('http', SERVICE_PORT)) === 200;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    return (await statusOf(TLS === 'off' ? 'http' : 'https', PORT)) === 200;
  }
}
