import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { until } from '@parcelway/kernel/testing/until';
import { ApiClient } from './api-client.ts';
import { fromRoot, type Installation, newInstallation } from './installation.ts';
import type { Quickstart, ServiceProcess } from './platform.ts';

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

const STOP_WITHIN_MS = 30_000;

/**
 * A platform that runs as a child process, reached only from outside: HTTPS, quickstart.json, signals. In distributed mode
 * the child runs every service as a process of its own, on an installation that no other platform shares.
 */
export class PlatformProcess {
  readonly dataDirectory: string;
  readonly #temporary: boolean;
  readonly #options: PlatformOptions;
  #child: ChildProcess | undefined;
  #stderr = '';
  #stdout = '';
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
    const child = spawn(process.execPath, [version === undefined ? main : join(version, relative(fromRoot('.'), main))], {
      env: {
        ...this.#installation.env,
        PATH: process.env.PATH,
        // Where Node.js 22 and newer keep compiled modules: hundreds of starts read the same ones.
        ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
        DATA_DIR: this.dataDirectory,
        PORT: String(this.#port),
        LOG_LEVEL: 'warn',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...this.#options.env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#stdout = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-100_000);
    });
    await this.#ready();
    if (existsSync(quickstartFile)) {
      this.#quickstart = JSON.parse(readFileSync(quickstartFile, 'utf8')) as Quickstart;
      this.#port = Number(new URL(this.quickstart.base_url).port);
    }
  }

  /** Waits until the child is ready. One that takes too long is ended: nobody would do so, and it holds its data and its port. */
  async #ready(): Promise<void> {
    try {
      await until(() => this.#stdout.includes('is ready') || !this.running, {
        within: this.#options.readyWithinMs ?? 60_000,
        what: 'the platform to be ready',
        everyMs: 10,
      });
    } catch (error) {
      await this.kill();
      throw error;
    }
    if (!this.running) throw new Error(`The platform ended before it was ready:\n${this.#stderr}`);
  }

  /** True while the child lives. */
  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Process id of the child. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Exit code of a child that has ended by itself; null while it lives or when a signal ended it. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  /** Signal that ended the child; null while it lives or when it ended by itself. */
  get signal(): NodeJS.Signals | null {
    return this.#child?.signalCode ?? null;
  }

  /** What it has logged, for the message of a failing test. */
  get log(): string {
    return this.#stderr;
  }

  /** What it has printed, the banner included. */
  get output(): string {
    return this.#stdout;
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
    return this.#end('SIGTERM');
  }

  /** SIGKILL; resolves once it has ended. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
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

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || !this.running) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await exited;
    clearTimeout(timer);
    return child.exitCode;
  }
}
