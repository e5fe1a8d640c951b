import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { Program } from '@parcelway/harness/program';
import { TcpLink } from '@parcelway/harness/tcp-link';
import { freePort } from '@parcelway/kernel/free-port';
import { request } from 'undici';

/** Milliseconds that the preStop hook sleeps before SIGTERM: it outlasts the news of the end; the manifests make twice as long a pause. */
const PRE_STOP_MS = 5000;
/** An endpoint is added or taken out at some moment within this time. */
const ENDPOINTS_WITHIN_MS = 3000;
const PROBE_EVERY_MS = 250;
const PROBE_TIMEOUT_MS = 2000;

/** Listeners of a service that a Service of Kubernetes names. */
type Listener = 'service' | 'admin' | 'public';
const listenersOf = (service: ServiceName): readonly Listener[] => (service === 'gateway' ? ['service', 'admin', 'public'] : ['service']);

/** Exit code, or the signal that ended a process. */
export type PodEnd = number | NodeJS.Signals | null;

/** One process of a service, as Kubernetes runs it: given its ports, asked whether it is ready, ended by SIGTERM. */
export class Pod {
  /** Such as `forecast-3`. */
  readonly name: string;
  readonly ports: Readonly<Record<Listener, number>>;
  readonly program: Program;

  /** @param version directory of what it runs, built @param env variables besides its ports */
  constructor(name: string, service: ServiceName, ports: Pod['ports'], version: string, env: Readonly<Record<string, string>>) {
    this.name = name;
    this.ports = ports;
    this.program = Program.start(process.execPath, [join(version, 'dist', `${service}.js`)], {
      env: {
        ...env,
        SERVICE_HOST: '127.0.0.1',
        SERVICE_PORT: String(ports.service),
        ADMIN_HOST: '127.0.0.1',
        ADMIN_PORT: String(ports.admin),
        ...(service === 'gateway' ? { HOST: '127.0.0.1', PORT: String(ports.public) } : {}),
      },
      // It ends with this process: the channel between them breaks.
      ipc: true,
    });
  }

  /** Asks its readiness probe until it passes. @throws Error with its log when it ends before, or takes too long */
  untilReady(): Promise<void> {
    return this.program.untilReady(() => this.#isReady(), this.name, { everyMs: PROBE_EVERY_MS });
  }

  /** SIGTERM, and SIGKILL when it has not ended in time. */
  async terminate(): Promise<PodEnd> {
    const { signal, code } = await this.program.end('SIGTERM');
    return signal ?? code;
  }

  async #isReady(): Promise<boolean> {
    const options = { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), reset: true };
    const response = await request(`http://127.0.0.1:${this.ports.admin}/readyz`, options);
    await response.body.dump();
    return response.statusCode === 200;
  }
}

/**
 * The replicas of one service, replaced as by a Deployment with maxSurge 1 and maxUnavailable 0. Each listener is behind a link that spreads new
 * connections over the endpoints in turn. As with kube-proxy, a connection stays with its endpoint for as long as it lives, whether or not that is
 * still on the list, and one to an endpoint that does not listen is refused, not tried elsewhere.
 */
export class Deployment {
  readonly service: ServiceName;
  readonly #links = new Map<Listener, TcpLink>();
  readonly #all: Pod[] = [];
  #endpoints: readonly Pod[] = [];
  #pods: readonly Pod[] = [];
  #turn = 0;

  private constructor(service: ServiceName) {
    this.service = service;
  }

  /** Opens its addresses, without processes behind them. */
  static async open(service: ServiceName): Promise<Deployment> {
    const deployment = new Deployment(service);
    for (const listener of listenersOf(service)) deployment.#links.set(listener, await TcpLink.open(() => deployment.#target(listener)));
    return deployment;
  }

  /** Those that are meant to run now. */
  get pods(): readonly Pod[] {
    return this.#pods;
  }

  /** All that there ever were. */
  get allPods(): readonly Pod[] {
    return this.#all;
  }

  /** Where clients connect to. */
  url(listener: Listener): string {
    return `http://127.0.0.1:${this.#links.get(listener)?.port}`;
  }

  /** Starts the first replicas; resolves when all of them get connections. @param version directory of what they run */
  async start(replicas: number, version: string, env: Readonly<Record<string, string>>): Promise<void> {
    const pods = await Promise.all(Array.from({ length: replicas }, () => this.#launch(version, env)));
    await Promise.all(pods.map((pod) => pod.untilReady()));
    this.#pods = pods;
    this.#endpoints = pods;
  }

  /** Starts another, waits until it is ready and gets connections, and then ends `old`. @returns the new one, and how the old one ended */
  async replace(old: Pod, version: string, env: Readonly<Record<string, string>>): Promise<{ readonly fresh: Pod; readonly end: PodEnd }> {
    const fresh = await this.#launch(version, env);
    await fresh.untilReady();
    await pause(Math.random() * ENDPOINTS_WITHIN_MS);
    this.#endpoints = [...this.#endpoints, fresh];
    this.#pods = this.#pods.map((pod) => (pod === old ? fresh : pod));
    const takeOut = async (): Promise<void> => {
      await pause(Math.random() * ENDPOINTS_WITHIN_MS);
      this.#endpoints = this.#endpoints.filter((pod) => pod !== old);
    };
    // From here on Kubernetes does two things at the same time: it takes the endpoint out, and it ends the process.
    const [, end] = await Promise.all([takeOut(), pause(PRE_STOP_MS).then(() => old.terminate())]);
    return { fresh, end };
  }

  /** Ends all that run, and closes the addresses. @returns those that did not end with 0 */
  async stop(): Promise<readonly string[]> {
    const running = this.#all.filter((pod) => pod.program.running);
    const ends = await Promise.all(running.map(async (pod) => ({ name: pod.name, end: await pod.terminate() })));
    await Promise.all([...this.#links.values()].map((link) => link.close()));
    return ends.filter(({ end }) => end !== 0).map(({ name, end }) => `${name} ended with ${end} at the end of the run`);
  }

  async #launch(version: string, env: Readonly<Record<string, string>>): Promise<Pod> {
    const ports = { service: await freePort(), admin: await freePort(), public: await freePort() };
    const pod = new Pod(`${this.service}-${this.#all.length + 1}`, this.service, ports, version, env);
    this.#all.push(pod);
    return pod;
  }

  #target(listener: Listener): { readonly host: string; readonly port: number } | undefined {
    this.#turn += 1;
    const pod = this.#endpoints[this.#turn % this.#endpoints.length];
    return pod && { host: '127.0.0.1', port: pod.ports[listener] };
  }
}
