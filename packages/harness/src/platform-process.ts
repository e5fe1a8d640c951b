import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { until } from '@parcelway/kernel/testing/until';
import { ApiClient } from './api-client.ts';
import { fromRoot, type Installation, newInstallation } from './installation.ts';
import { Program } from './program.ts';

/** `DATA_DIR/quickstart.json` of a sandbox installation. */
export interface Quickstart {
  readonly base_url: string;
  readonly ca_file: string;
  readonly environment: string;
  readonly tenant: { readonly id: string; readonly name: string; readonly api_key: string };
  readonly warehouse: { readonly code: string; readonly api_key: string };
  readonly admin: { readonly url: string; readonly token: string };
}

/** A service of a platform in distributed mode, as `DATA_DIR/processes.json` describes it. */
export interface ServiceProcess {
  /** Such as `forecast-1`. */
  readonly name: string;
  /** Of a gateway: its public address. */
  readonly url: string;
  /** Its admin server. */
  readonly admin_url: string;
  /** Null between two starts. */
  readonly pid: number | null;
  readonly starts: number;
  /** Exit code or signal of the last end; null before the first. */
  readonly last_end: string | null;
}

/** How to start a platform. */
export interface PlatformOptions {
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Kept between starts when given; otherwise a temporary directory that {@link PlatformProcess.dispose} removes. */
  readonly dataDirectory?: string;
  /** Directory of another version, built, that runs in place of this one. */
  readonly version?: string;
  /** How long the start may take; default 60 s. */
  readonly readyWithinMs?: number;
}

/**
 * A platform that runs as a child process, reached only from outside: HTTPS, quickstart.json, signals. In distributed mode
 * the child runs every service as a process of its own, on an installation that no other platform shares.
 */
export class PlatformProcess {
  readonly dataDirectory: string;
  readonly #temporary: boolean;
  readonly #options: PlatformOptions;
  #program: Program | undefined;
  /** What its earlier starts have logged. */
  #formerLog = '';
  #port = 0;
  #installation: Installation | undefined;
  #quickstart: Quickstart | undefined;
  readonly #clients: ApiClient[] = [];

  private constructor(options: PlatformOptions) {
    this.dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'parcelway-'));
    this.#options = options;
    this.#temporary = options.dataDirectory === undefined;
  }

  /** A platform that has not been started yet, for starts that are expected to fail. */
  static prepare(options: PlatformOptions = {}): PlatformProcess {
    return new PlatformProcess(options);
  }

  /** Starts a platform and waits until it is ready. */
  static async start(options: PlatformOptions = {}): Promise<PlatformProcess> {
    const process = PlatformProcess.prepare(options);
    await process.start();
    return process;
  }

  /**
   * Starts it again on the same data and port after {@link stop} or {@link kill}. `env` adds to the variables of this start only.
   * @throws Error when it ended by itself or was not ready in time; the child has ended by then, either way
   */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    // The file of an earlier start would be taken for this one's.
    const quickstartFile = join(this.dataDirectory, 'quickstart.json');
    this.#installation ??= newInstallation();
    const { main } = this.#installation;
    const { version } = this.#options;
    this.#formerLog = this.log;
    this.#program = Program.start(process.execPath, [version === undefined ? main : join(version, relative(fromRoot('.'), main))], {
      env: {
        ...this.#installation.env,
        // Where Node.js 22 and newer keep compiled modules: hundreds of starts read the same ones.
        ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
        DATA_DIR: this.dataDirectory,
        PORT: String(this.#port),
        LOG_LEVEL: 'warn',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...this.#options.env,
        ...env,
      },
    });
    const { readyWithinMs: within } = this.#options;
    await this.#program.untilReady(() => this.output.includes('is ready'), 'The platform', { ...(within !== undefined && { within }) });
    if (existsSync(quickstartFile)) {
      this.#quickstart = JSON.parse(readFileSync(quickstartFile, 'utf8')) as Quickstart;
      this.#port = Number(new URL(this.quickstart.base_url).port);
    }
  }

  /** True while the child lives. */
  get running(): boolean {
    return this.#program?.running ?? false;
  }

  /** Process id of the child. */
  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  /** Exit code of a child that has ended by itself; null while it lives or when a signal ended it. */
  get exitCode(): number | null {
    return this.#program?.child.exitCode ?? null;
  }

  /** Signal that ended the child; null while it lives or when it ended by itself. */
  get signal(): NodeJS.Signals | null {
    return this.#program?.child.signalCode ?? null;
  }

  /** What it has logged, for the message of a failing test. */
  get log(): string {
    return this.#formerLog + (this.#program?.stderr ?? '');
  }

  /** What it has printed, the banner included. */
  get output(): string {
    return this.#program?.stdout ?? '';
  }

  /** Variables that name its servers and what it has there, such as KAFKA_BROKERS and KAFKA_PREFIX; empty in embedded mode. */
  get servers(): Readonly<Record<string, string>> {
    if (this.#installation === undefined) throw new Error('The platform has not been started');
    return this.#installation.env;
  }

  /** The keys and addresses of the sandbox. @throws Error in production, and before the first start */
  get quickstart(): Quickstart {
    if (!this.#quickstart) throw new Error('This installation has no quickstart.json');
    return this.#quickstart;
  }

  /** The processes of the services, in distributed mode. */
  services(): readonly ServiceProcess[] {
    return JSON.parse(readFileSync(join(this.dataDirectory, 'processes.json'), 'utf8')) as ServiceProcess[];
  }

  /** A client with a key; default the demo tenant's. Closed by the end of the use. @param baseUrl of another gateway than the first */
  client(apiKey: string | null = this.quickstart.tenant.api_key, baseUrl = this.quickstart.base_url): ApiClient {
    const client = new ApiClient(baseUrl, apiKey, readFileSync(this.quickstart.ca_file, 'utf8'));
    this.#clients.push(client);
    return client;
  }

  /** A client of the operator's API. */
  admin(): ApiClient {
    const client = new ApiClient(this.quickstart.admin.url, null, undefined, { authorization: `Bearer ${this.quickstart.admin.token}` });
    this.#clients.push(client);
    return client;
  }

  /** SIGTERM; resolves with the exit code once it has ended. */
  async stop(): Promise<number | null> {
    await this.#program?.end('SIGTERM');
    return this.exitCode;
  }

  /** SIGKILL; resolves once it has ended. */
  async kill(): Promise<void> {
    await this.#program?.end('SIGKILL');
  }

  /** Resolves when the child has ended by itself, as at a kill point. */
  async ended(withinMs: number): Promise<void> {
    await until(() => !this.running, { within: withinMs, what: 'the platform to end', everyMs: 5 });
  }

  /** Stops it and removes temporary data. */
  async dispose(): Promise<void> {
    // The clients first: a platform that stops leaves them some seconds to end their idle connections.
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    if (this.running) await this.stop();
    try {
      await this.#installation?.remove();
    } finally {
      this.#installation = undefined;
      if (this.#temporary) rmSync(this.dataDirectory, { recursive: true, force: true });
    }
  }
}
