import type { ServiceName } from '@parcelway/contracts/service-name';
import { Agent, type Dispatcher } from 'undici';
import type { ServiceCircuit } from './circuit.ts';
import { clientKeepAlive } from './keep-alive.ts';
import { PRINCIPAL_HEADER, type PrincipalSigner } from './principal-token.ts';
import type { ServiceTransport } from './service-client.ts';

/** How calls reach services of other processes. */
export interface RemoteTransportOptions {
  readonly originOf: (service: ServiceName) => string;
  /** Guards the calls to a service. */
  readonly circuitOf: (service: ServiceName) => ServiceCircuit;
  /** Signs every call. */
  readonly signer: PrincipalSigner;
  /** To each service. */
  readonly connections: number;
}

/**
 * Sends a request with a deadline for its response and the whole body. Undici looks at a signal only once the request has a connection, so the wait
 * for a connection is bounded here.
 * @throws DOMException TimeoutError when there is no response in time; a request that still waits is then never sent
 */
function requestWithin(
  agent: Agent,
  timeoutMs: number,
  options: Omit<Dispatcher.RequestOptions, 'signal'>,
): Promise<Dispatcher.ResponseData> {
  const signal = AbortSignal.timeout(timeoutMs);
  const expiry = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([agent.request({ ...options, signal }), expiry]);
}

/** Calls services of other processes over HTTP. */
export function remoteTransport({ originOf, circuitOf, signer, connections }: RemoteTransportOptions) {
  const agent = new Agent({ ...clientKeepAlive, connections, connect: { timeout: 2000 } });
  return {
    async send(service, { method, path, principal, headers, body }, timeoutMs) {
      // Not by a URL, which would resolve the path anew.
      const request = {
        origin: originOf(service),
        path,
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers, [PRINCIPAL_HEADER]: signer.sign(principal) },
        body,
      };
      return circuitOf(service).run(() => requestWithin(agent, timeoutMs, request));
    },
    async ready(service, timeoutMs) {
      const request = { origin: originOf(service), path: '/readyz', method: 'GET' } as const;
      const response = await circuitOf(service).run(() => requestWithin(agent, timeoutMs, request));
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`The ${service} service responds with ${response.statusCode}`);
    },
    /** Ends calls that have begun. */
    close: () => agent.destroy(),
  } satisfies ServiceTransport & { close(): Promise<void> };
}
