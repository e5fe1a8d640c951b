import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from './api-client.ts';

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

/** A platform that runs, as everybody who uses it may: calls its API and reads its files. Who has started it can do more. */
export abstract class Platform {
  readonly dataDirectory: string;
  #quickstart: Quickstart | undefined;
  #clients: ApiClient[] = [];

  protected constructor(dataDirectory: string) {
    this.dataDirectory = dataDirectory;
  }

  /** What it has logged, for the message of a failing test. */
  abstract get log(): string;

  /** Variables that name its servers and what it has there, such as KAFKA_BROKERS and KAFKA_PREFIX; empty in embedded mode. */
  abstract get servers(): Readonly<Record<string, string>>;

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

  /** Reads the file that a start has written. */
  protected readQuickstart(): void {
    this.#quickstart = JSON.parse(readFileSync(join(this.dataDirectory, 'quickstart.json'), 'utf8')) as Quickstart;
  }

  /** Closes the clients that were made so far. */
  protected async closeClients(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
  }
}
