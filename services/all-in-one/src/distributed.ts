import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { freePort } from '@parcelway/kernel/free-port';
import type { Logger } from '@parcelway/kernel/logger';
import { type Environ, httpsBaseUrl, integer, loadConfig, loadSections, port } from '@parcelway/platform/config';
import { loadSettings } from '@parcelway/platform/distributed';
import { originVariable, readInstallation } from '@parcelway/platform/distributed-config';
import { keptVariables, openInstallation, writeFileAtomically } from '@parcelway/platform/installation';
import { type RunningProcess, runProcess } from '@parcelway/platform/process';
import type { PublicAddresses } from '@parcelway/platform/service';
import { banner } from './banner.ts';
import { migrate } from './migrate.ts';
import { backServices, gateway } from './services.ts';
import { stopWithNpm } from './stop-with-npm.ts';
import { SupervisedProcess } from './supervised-process.ts';

/** The gateways stop first and then the services, each within the deadline of its own process. */
const STOP_FLEET_MS = 55_000;

/** The program of a service, beside this one once they are bundled. */
function mainOf(service: ServiceName): string {
  return fileURLToPath(new URL(`./${service}.js`, import.meta.url));
}

/** Ports on which the services of one replica listen for each other. */
type ReplicaPorts = ReadonlyMap<ServiceName, number>;

/** Free ports for the services of `replicas` replicas. */
async function chooseReplicaPorts(replicas: number): Promise<readonly ReplicaPorts[]> {
  const ofOne = async (): Promise<ReplicaPorts> =>
    new Map(await Promise.all(serviceNames.map(async (name) => [name, await freePort()] as const)));
  return Promise.all(Array.from({ length: replicas }, ofOne));
}

/** The variables by which the services of a replica find each other. */
export function originsOf(ports: ReplicaPorts): Record<string, string> {
  return Object.fromEntries([...ports].map(([service, port]) => [originVariable(service), `http://127.0.0.1:${port}`]));
}

interface PublicPort {
  readonly port: number;
  readonly env: Environ;
}

/** The processes of an installation on this machine, as many replicas of each service as asked for. */
class Fleet {
  readonly #env: Environ;
  readonly #firstEnv: Readonly<Record<string, string>>;
  readonly #dataDirectory: string;
  readonly #logger: Logger;
  readonly #processes: SupervisedProcess[] = [];

  /** @param env variables of every process; FAILPOINT holds for the first start of each only */
  constructor({ FAILPOINT, ...env }: Environ, dataDirectory: string, logger: Logger) {
    this.#env = env;
    this.#firstEnv = FAILPOINT === undefined ? {} : { FAILPOINT };
    this.#dataDirectory = dataDirectory;
    this.#logger = logger;
  }

  get size(): number {
    return this.#processes.length;
  }

  /**
   * Starts one service of one replica; resolves when it is ready.
   * @param publicPort for a gateway: its public port and further variables
   */
  async start(service: ServiceName, replica: number, ports: ReplicaPorts, publicPort?: PublicPort): Promise<void> {
    const name = `${service}-${replica}`;
    const addresses = { ...originsOf(ports), SERVICE_HOST: '127.0.0.1', SERVICE_PORT: String(ports.get(service)) };
    // Only the first gateway has the port that was asked for: it is the one that people and parcelctl use.
    const adminPort = publicPort?.env['ADMIN_PORT'] ?? String(await freePort());
    const further = publicPort === undefined ? {} : { ...publicPort.env, PORT: String(publicPort.port) };
    const started = new SupervisedProcess({
      name,
      url: publicPort === undefined ? `http://127.0.0.1:${ports.get(service)}` : `https://localhost:${publicPort.port}`,
      adminUrl: `http://127.0.0.1:${adminPort}`,
      main: mainOf(service),
      env: { ...this.#env, ...addresses, ...further, ADMIN_PORT: adminPort },
      firstEnv: this.#firstEnv,
      logger: this.#logger,
      onChange: () => this.#writeList(),
    });
    this.#processes.push(started);
    await started.start();
  }

  /** Ends all: the gateways first, as in one process, so that what they have accepted still reaches the services. */
  async stop(): Promise<void> {
    const isGateway = ({ options }: SupervisedProcess): boolean => options.name.startsWith('gateway-');
    for (const group of [this.#processes.filter(isGateway), this.#processes.filter((one) => !isGateway(one))]) {
      const clean = await Promise.all(group.map((one) => one.stop()));
      const left = group.filter((_, index) => !clean[index]).map(({ options }) => options.name);
      if (left.length > 0) this.#logger.error({ processes: left }, 'Services did not stop cleanly');
    }
  }

  /** `DATA_DIR/processes.json`: name, address, address of the admin server, pid (null between two starts), number of starts and last end of each process. */
  #writeList(): void {
    const list = this.#processes.map(({ options, pid, starts, lastEnd }) => ({
      name: options.name,
      url: options.url,
      admin_url: options.adminUrl,
      pid: pid ?? null,
      starts,
      last_end: lastEnd,
    }));
    try {
      writeFileAtomically(join(this.#dataDirectory, 'processes.json'), `${JSON.stringify(list, null, 2)}\n`, 0o600);
    } catch (error) {
      // Information only: a full disk must not end the services.
      this.#logger.warn({ err: error }, 'processes.json could not be written');
    }
  }
}

/** What further gateways share with the first: its certificate and its admin token. They write no quickstart.json. */
function furtherGatewayEnv(env: Environ, dataDirectory: string): Environ {
  const ownCertificate = env['TLS'] !== 'off' && !env['TLS_CERT_FILE'];
  const tls = join(dataDirectory, 'tls');
  return {
    QUICKSTART: 'off',
    ADMIN_TOKEN: env['ADMIN_TOKEN'] ?? readFileSync(join(dataDirectory, 'admin-token'), 'utf8').trim(),
    ...(ownCertificate ? { TLS_CERT_FILE: join(tls, 'cert.pem'), TLS_KEY_FILE: join(tls, 'key.pem') } : {}),
  };
}

/** Where the first gateway can be reached, from the file that it wrote. */
function readAddresses(dataDirectory: string, environment: string, baseUrl: string): PublicAddresses {
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(dataDirectory, name), 'utf8')) as T;
  if (environment === 'production') return { baseUrl, adminUrl: read<{ url: string }>('admin.json').url, caFile: null };
  const { ca_file, admin } = read<{ ca_file: string | null; admin: { url: string } }>('quickstart.json');
  return { baseUrl, adminUrl: admin.url, caFile: ca_file };
}

/**
 * Reads the settings of every service, so that a wrong one of any is refused before anything starts.
 * @throws ConfigError naming every variable that is wrong
 */
export function checkSettings(env: Environ): void {
  loadSections(env, Object.fromEntries([gateway, ...backServices].map((each) => [each.name, () => loadSettings(env, each)])));
}

/**
 * Starts every service as a process of its own, as many of each as REPLICAS says, on the servers that the environment
 * names; makes secrets in DATA_DIR and what the servers lack before. Replica n of a service calls replica n of the
 * others. The first gateway listens on PORT and writes quickstart.json, the further ones on the ports behind it (free ones
 * for PORT=0); processes.json lists them all.
 */
async function start(env: Environ, logger: Logger): Promise<RunningProcess> {
  const config = loadConfig(env, { PORT: port(8443), PUBLIC_BASE_URL: httpsBaseUrl, REPLICAS: integer(1, 1, 9) });
  const { environment, dataDirectory: given } = readInstallation(env);
  const dataDirectory = resolve(given);
  const installation = openInstallation(dataDirectory, environment, {
    internalSecret: env['INTERNAL_SECRET'] || undefined,
    fileSecret: env['FILE_SECRET'] || undefined,
  });
  const publicPort = config.PORT === 0 ? await freePort() : config.PORT;
  const baseUrl = config.PUBLIC_BASE_URL ?? `https://localhost:${publicPort}`;
  const common = { ...env, ...keptVariables(installation, env), PUBLIC_BASE_URL: baseUrl, DATA_DIR: dataDirectory };
  // Chosen here, so that it stays the same when the gateway is started again.
  const firstPublicPort = { port: publicPort, env: { ADMIN_PORT: env['ADMIN_PORT'] || String(await freePort()) } };
  const replicas = await chooseReplicaPorts(config.REPLICAS);
  checkSettings({ ...common, ...originsOf(replicas[0] as ReplicaPorts) });
  const fleet = new Fleet(common, dataDirectory, logger);
  try {
    await migrate(common);
    await Promise.all(
      replicas.flatMap((ports, index) => [
        ...backServices.map(({ name }) => fleet.start(name, index + 1, ports)),
        ...(index === 0 ? [fleet.start(gateway.name, 1, ports, firstPublicPort)] : []),
      ]),
    );
    const further = config.REPLICAS > 1 ? furtherGatewayEnv(env, dataDirectory) : {};
    const startFurther = async (ports: ReplicaPorts, index: number): Promise<void> => {
      const chosen = config.PORT === 0 ? await freePort() : publicPort + index + 1;
      await fleet.start(gateway.name, index + 2, ports, { port: chosen, env: further });
    };
    await Promise.all(replicas.slice(1).map(startFurther));
  } catch (error) {
    await fleet.stop();
    throw error;
  }
  const shown = {
    environment,
    dataDirectory,
    mode: `distributed, ${fleet.size} processes`,
    readyAfterMs: performance.now(),
    isBaseUrlSet: config.PUBLIC_BASE_URL !== undefined,
  };
  return {
    report: banner({ ...readAddresses(dataDirectory, environment, baseUrl), ...shown }),
    facts: { mode: 'distributed', environment, processes: fleet.size },
    stop: () => fleet.stop(),
  };
}

/** Runs the whole of distributed mode on this machine until SIGTERM or SIGINT. */
export function runDistributed(env: Environ): Promise<never> {
  stopWithNpm(env);
  return runProcess(env, start, STOP_FLEET_MS);
}
