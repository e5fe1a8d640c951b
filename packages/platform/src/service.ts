import type { Archive } from '@parcelway/blobs/archive/archive';
import type { Blobs } from '@parcelway/blobs/blobs';
import type { Bus } from '@parcelway/bus/bus';
import type { RateLimiter } from '@parcelway/cache/rate-limiter';
import type { Environment } from '@parcelway/contracts/environment';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { ServiceApp } from '@parcelway/http/app';
import type { OtherServices } from '@parcelway/http/other-services';
import type { PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Collection } from '@parcelway/store/collection';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import type { AdminServer } from './admin-server.ts';
import type { Environ } from './config.ts';
import type { FileSecrets } from './installation.ts';
import type { PublishedStore } from './open-store.ts';

/** What a service gets from the platform it runs on. */
export interface Platform extends FileSecrets {
  readonly environment: Environment;
  /** Address under which merchants reach the gateway, without a slash at the end. */
  readonly publicBaseUrl: string;
  /** Data of this installation on disk: certificates, quickstart. */
  readonly dataDirectory: string;
  /** The environment variables of the process; each service reads its own through loadConfig. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Metrics and traces; each service takes its own part by its name. */
  readonly telemetry: Telemetry;
  /** Where operators reach this process. */
  readonly adminServer: Pick<AdminServer, 'url' | 'mount'>;
  readonly bus: Bus;
  readonly rateLimiter: RateLimiter;
  readonly principalSigner: PrincipalSigner;
  readonly principalVerifier: PrincipalVerifier;
  /** Secrets that the processes of the installation share, at least one: what is made now is made with the first, what another one made is accepted. They change. */
  readonly internalSecrets: readonly string[];
  /** Resolves once all that was written is on the disk. At once where no write resolves earlier. @throws AppError 50301 */
  settled(): Promise<void>;
  /** Opens the object storage. */
  openBlobs(bucket: string): Promise<Blobs>;
  /** Opens the archive: what is deleted because its retention has ended is written there before. */
  openArchive(): Archive;
  /**
   * Opens the collections of a service, has their messages published, and deletes what their age ends. Closed by the platform, last.
   * @param apart the collection whose messages the service itself makes into others
   */
  openStore(service: ServiceName, collections: readonly Collection[], apart?: Collection): Promise<PublishedStore>;
  /** The platform closes their clients, after the services. */
  readonly otherServices: OtherServices;
}

/** A service that has been opened and does not work yet. */
export interface OpenService {
  /** Handles requests. Created by createServiceApp in http/app. */
  readonly app: ServiceApp;
  /** Starts consumers and schedules; all services can be called by now. */
  start(): Promise<void>;
  /** Responds to the requests that wait for an event, and lets no request wait any more. Called before HTTP is drained, which such requests would delay. */
  endWaiting?(): void;
  /** Stops consumers and schedules and waits for running work. HTTP is drained before. Has 10 s; then the stop goes on without it. */
  stop(): Promise<void>;
  /** Resolves when the service can do its work; rejects with the reason otherwise. */
  ready(): Promise<void>;
}

/** Where the platform can be reached. */
export interface PublicAddresses {
  /** Merchants, such as `https://localhost:8443`. */
  readonly baseUrl: string;
  /** Operators, such as `http://127.0.0.1:39002`. */
  readonly adminUrl: string;
  /** Certificate to trust, when the platform made it itself. */
  readonly caFile: string | null;
}

/** The gateway: a service that also has a public server. */
export interface PublicServer extends OpenService {
  /** Opens the public port; the admin server belongs to the platform. @returns the addresses of both */
  listen(): Promise<PublicAddresses>;
  /** Stops accepting and waits for running requests, at most `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>;
  /** Resolves when no service of this process handles a request any more, including those whose client has disconnected. */
  idle(): Promise<void>;
}

/** What a service may need of a distributed installation besides its database and the log. */
export type Facility = 'redis' | 'object-store' | 'public-address';

/** What a service keeps in its database. */
export interface ServiceStore {
  readonly name: string;
  readonly collections: readonly Collection[];
}

/** A service as the wiring sees it. */
export interface ServiceDefinition extends ServiceStore {
  readonly name: ServiceName;
  /** Services that it calls. */
  readonly calls: readonly ServiceName[];
  readonly uses: readonly Facility[];
  /** Reads the service's own variables, so that wrong ones are named before anything starts. @throws ConfigError */
  settings(env: Environ, environment: Environment): unknown;
  /** Checks configuration, opens stores, builds the app. Makes no call to another service. */
  open(platform: Platform): Promise<OpenService>;
}

/** The gateway as the wiring sees it. */
export interface PublicServiceDefinition extends ServiceDefinition {
  open(platform: Platform): Promise<PublicServer>;
}

/** Declares a service. Checks nothing; exists so that definitions look alike and are typed. */
export function defineService<D extends ServiceDefinition>(definition: D): D {
  return definition;
}
