import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { freePort } from '@parcelway/kernel/free-port';
import type { Balancer } from './balancer.ts';
import { Pod, type PodEnd, type PodPorts } from './pod.ts';

/** How long Kubernetes takes for what. */
export interface RolloutTiming {
  /** Milliseconds that the preStop hook sleeps before SIGTERM. */
  readonly preStopMs: number;
  /** An endpoint is added or taken out at some moment within this time. */
  readonly endpointsWithinMs: number;
  /** From SIGTERM on a process has this long to end. */
  readonly graceMs: number;
  /** A process has to be ready within this time. */
  readonly readyWithinMs: number;
}

/** A replica that took the place of another. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
  /** From the start of the new process until its probe passed. */
  readonly readyMs: number;
  readonly end: PodEnd;
}

/** The listeners of a process that are balanced. */
type ListenerName = keyof PodPorts;

/** The replicas of one service, behind balancers, replaced as by a Deployment with maxSurge 1 and maxUnavailable 0. */
export class Deployment {
  readonly service: ServiceName;
  readonly #env: Readonly<Record<string, string>>;
  readonly #listeners: ReadonlyMap<ListenerName, Balancer>;
  readonly #timing: RolloutTiming;
  readonly #all: Pod[] = [];
  #pods: readonly Pod[] = [];

  /**
   * @param listeners balancers in front of its processes
   * @param env of every process
   */
  constructor(
    service: ServiceName,
    listeners: ReadonlyMap<ListenerName, Balancer>,
    env: Readonly<Record<string, string>>,
    timing: RolloutTiming,
  ) {
    this.service = service;
    this.#listeners = listeners;
    this.#env = env;
    this.#timing = timing;
  }

  /** Those that are meant to run now. */
  get pods(): readonly Pod[] {
    return this.#pods;
  }

  /** All that there ever were. */
  get allPods(): readonly Pod[] {
    return this.#all;
  }

  /** Starts the first replicas; resolves when all of them get connections. @param version directory of what they run */
  async start(replicas: number, version: string): Promise<void> {
    const pods = await Promise.all(Array.from({ length: replicas }, () => this.#launch(version)));
    await Promise.all(pods.map((pod) => pod.untilReady(this.#timing.readyWithinMs)));
    for (const pod of pods) this.#addEndpoints(pod);
    this.#pods = pods;
  }

  /** Starts another, waits until it is ready and gets connections, and then ends `old`; resolves when that has ended. @param version directory of what it runs */
  async replace(old: Pod, version: string): Promise<Replacement> {
    const { readyWithinMs, preStopMs, endpointsWithinMs, graceMs } = this.#timing;
    const fresh = await this.#launch(version);
    const readyMs = await fresh.untilReady(readyWithinMs);
    await pause(Math.random() * endpointsWithinMs);
    this.#addEndpoints(fresh);
    this.#pods = this.#pods.map((pod) => (pod === old ? fresh : pod));
    // From here on Kubernetes does two things at the same time: it updates the balancers, and it ends the process.
    const [, end] = await Promise.all([
      pause(Math.random() * endpointsWithinMs).then(() => this.#removeEndpoints(old)),
      pause(preStopMs).then(() => old.terminate(graceMs)),
    ]);
    return { from: old.name, to: fresh.name, readyMs, end };
  }

  /** Ends all that run. @returns how each ended */
  async stop(): Promise<readonly { readonly name: string; readonly end: PodEnd }[]> {
    const running = this.#all.filter((pod) => pod.running);
    return Promise.all(running.map(async (pod) => ({ name: pod.name, end: await pod.terminate(this.#timing.graceMs) })));
  }

  async #launch(version: string): Promise<Pod> {
    const ports = { service: await freePort(), admin: await freePort(), public: await freePort() };
    const { service } = this;
    const pod = new Pod({ name: `${service}-${this.#all.length + 1}`, service, ports, version, env: this.#env });
    this.#all.push(pod);
    return pod;
  }

  #addEndpoints(pod: Pod): void {
    for (const [listener, balancer] of this.#listeners) balancer.add(pod.ports[listener]);
  }

  #removeEndpoints(pod: Pod): void {
    for (const [listener, balancer] of this.#listeners) balancer.remove(pod.ports[listener]);
  }
}
