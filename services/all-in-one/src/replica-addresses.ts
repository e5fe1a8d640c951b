import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { freePort } from '@parcelway/kernel/free-port';
import { originVariable } from '@parcelway/platform/distributed-config';

/** Ports on which the services of one replica listen for each other. */
export type ReplicaPorts = ReadonlyMap<ServiceName, number>;

/** Free ports for the services of `replicas` replicas. */
export async function chooseReplicaPorts(replicas: number): Promise<readonly ReplicaPorts[]> {
  const ofOne = async (): Promise<ReplicaPorts> =>
    new Map(await Promise.all(serviceNames.map(async (name) => [name, await freePort()] as const)));
  return Promise.all(Array.from({ length: replicas }, ofOne));
}

/** The variables by which the services of a replica find each other. */
export function originsOf(ports: ReplicaPorts): Record<string, string> {
  return Object.fromEntries([...ports].map(([service, port]) => [originVariable(service), `http://127.0.0.1:${port}`]));
}
