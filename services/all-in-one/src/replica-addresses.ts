import { createServer } from 'node:net';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { listen } from '@parcelway/http/server';
import { originVariable } from '@parcelway/platform/distributed-config';

/** A port of loopback that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  const free = await listen(probe, '127.0.0.1', 0);
  await new Promise((closed) => probe.close(closed));
  return free;
}

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
