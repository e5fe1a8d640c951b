import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { listen } from '@parcelway/http/server';
import { originVariable } from '@parcelway/platform/distributed-config';

/**
 * Ports that are tried. They lie below those that a kernel hands out by itself (from 32768 on Linux, from 49152 elsewhere): one of those may be
 * somebody's connection, or another door of this very process, before it is listened on.
 */
const FIRST_PORT = 11_000;
const PORTS = 16_000;
const MAX_TRIES = 50;

/** Given to somebody who does not listen on them yet, perhaps. */
const given = new Set<number>();

/** A port of loopback that is free now, and stays so unless somebody asks for it by its number; each is given once. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (given.has(port)) continue;
    given.add(port);
    const probe = createServer();
    try {
      const free = await listen(probe, '127.0.0.1', port);
      await new Promise((closed) => probe.close(closed));
      return free;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
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
