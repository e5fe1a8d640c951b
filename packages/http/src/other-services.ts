import type { ServiceName } from '@parcelway/contracts/service-name';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { ServiceCircuit } from './circuit.ts';
import type { LocalService } from './local-call.ts';
import type { PrincipalSigner } from './principal-token.ts';
import { remoteTransport } from './remote-transport.ts';
import { createServiceClient, localTransport, type ServiceClient } from './service-client.ts';

/** The other services, as one service reaches them. */
export type OtherServices = LocalPeers | RemotePeers;

/** Services of the same process. */
export interface LocalPeers {
  readonly kind: 'local';
  /** Known once all services are open: call it per use, not at open. @throws Error for a service that is not there */
  serviceOf(service: ServiceName): LocalService;
  openClient(): ServiceClient;
}

/** Services in processes of their own. */
export interface RemotePeers {
  readonly kind: 'remote';
  /** Such as `http://forecast:8080`. */
  originOf(service: ServiceName): string;
  /** Guards all calls of this process to a service. */
  circuitOf(service: ServiceName): ServiceCircuit;
  /** @param options.connections to each service; default 16 */
  openClient(options?: { readonly connections?: number }): ServiceClient;
}

/** The services of this process, none at first. */
export function localServices(): LocalPeers & {
  /** From now on, the others can call the service. */
  add(name: ServiceName, service: LocalService): void;
} {
  const known = new Map<ServiceName, LocalService>();
  const serviceOf = (service: ServiceName): LocalService => {
    const found = known.get(service);
    if (found === undefined) throw new Error(`The ${service} service is not open`);
    return found;
  };
  const client = createServiceClient(localTransport(serviceOf));
  return {
    kind: 'local',
    serviceOf,
    openClient: () => client,
    add: (name, service) => void known.set(name, service),
  };
}

/** Services at their origins. @param options.signer signs every call @param options.logger default: none */
export function remoteServices({
  originOf,
  signer,
  logger = silentLogger,
}: Pick<RemotePeers, 'originOf'> & { readonly signer: PrincipalSigner; readonly logger?: Logger }): RemotePeers & {
  /** Ends the calls of all clients. */
  close(): Promise<void>;
} {
  const transports: { close(): Promise<void> }[] = [];
  const circuits = new Map<ServiceName, ServiceCircuit>();
  const circuitOf = (service: ServiceName): ServiceCircuit => {
    const circuit = circuits.get(service) ?? new ServiceCircuit(service, logger);
    circuits.set(service, circuit);
    return circuit;
  };
  return {
    kind: 'remote',
    originOf,
    circuitOf,
    openClient({ connections = 16 } = {}) {
      const transport = remoteTransport({ originOf, circuitOf, signer, connections });
      transports.push(transport);
      return createServiceClient(transport);
    },
    async close() {
      await Promise.all(transports.map((transport) => transport.close()));
      for (const circuit of circuits.values()) circuit.close();
    },
  };
}
