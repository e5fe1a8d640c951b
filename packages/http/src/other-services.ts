import type { ServiceName } from '@parcelway/contracts/service-name';
import type { LocalService } from './local-call.ts';
import type { PrincipalSigner } from './principal-token.ts';
import { remoteTransport } from './remote-transport.ts';
import { createServiceClient, localTransport, type ServiceClient } from './service-client.ts';

/** The other services, as one service reaches them. */
export type OtherServices = LocalServices | RemoteServices;

/** Services of the same process. */
export interface LocalServices {
  readonly kind: 'local';
  /** Known once all services are open: call it per use, not at open. @throws Error for a service that is not there */
  serviceOf(service: ServiceName): LocalService;
  openClient(): ServiceClient;
}

/** Services in processes of their own. */
export interface RemoteServices {
  readonly kind: 'remote';
  /** Such as `http://forecast:8080`. */
  originOf(service: ServiceName): string;
  /** @param options.connections to each service; default 16 */
  openClient(options?: { readonly connections?: number }): ServiceClient;
}

/** The services of this process, none at first. */
export function localServices(): LocalServices & {
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

/** Services at their origins. @param options.signer signs every call */
export function remoteServices({
  originOf,
  signer,
}: Pick<RemoteServices, 'originOf'> & { readonly signer: PrincipalSigner }): RemoteServices & {
  /** Ends the calls of all clients. */
  close(): Promise<void>;
} {
  const transports: { close(): Promise<void> }[] = [];
  return {
    kind: 'remote',
    originOf,
    openClient({ connections = 16 } = {}) {
      const transport = remoteTransport({ originOf, signer, connections });
      transports.push(transport);
      return createServiceClient(transport);
    },
    close: async () => void (await Promise.all(transports.map((transport) => transport.close()))),
  };
}
