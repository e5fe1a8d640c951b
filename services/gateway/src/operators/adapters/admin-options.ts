import type { Bus } from '@parcelway/bus/bus';
import type { Environment } from '@parcelway/contracts/environment';
import type { ServiceQueues } from '@parcelway/contracts/queues-api';
import type { Idempotency } from '@parcelway/http/idempotency';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { RequestHandler, Router } from 'express';
import type { AuditTrail } from '../../activity/audit-trail.ts';
import type { ActivityStores } from '../../activity/open-activity.ts';
import type { ServiceUsage } from '../../activity/ports.ts';
import type { ConsoleAccessOptions } from '../../keys/console-access.ts';
import type { KeyStores } from '../../keys/manage-keys.ts';
import type { Relay } from '../../proxy/adapters/relay.ts';
import type { KeyRing } from '../../proxy/key-ring.ts';
import type { LastUse } from '../../proxy/last-use.ts';
import type { PlatformData } from '../../tenants/ports.ts';
import type { TenantRetentionStore } from '../../tenants/tenant-collection.ts';
import type { OperatorStore } from '../operator-collection.ts';
import type { OperatorTokens } from '../operator-tokens.ts';

/** What the operator's API works with. */
export interface AdminOptions {
  /** See durableResponses in http/response. */
  readonly settled: () => Promise<void>;
  readonly environment: Environment;
  readonly stores: KeyStores & { readonly retentions: TenantRetentionStore; readonly operators: OperatorStore };
  readonly activity: ActivityStores;
  readonly serviceUsage: ServiceUsage;
  /** Keeps what operators change. */
  readonly trail: Pick<AuditTrail, 'begin'>;
  readonly keyRing: Pick<KeyRing, 'forgetHash' | 'forgetTenant'>;
  readonly bus: Pick<Bus, 'deadLetters' | 'redrive' | 'deleteDeadLetters'>;
  readonly services: Pick<ServiceClient, 'call'>;
  readonly relay: Relay;
  readonly data: PlatformData;
  /** How long after every service has remembered the tenant the last look for data begins; milliseconds. */
  readonly erasureSettleMs: number;
  /** Says that an erasure has begun. */
  readonly erasureBegun: () => void;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Secrets of the installation. The first one seals cursors and recorded responses; keys created with an idempotency key are derived from it. */
  readonly fileSecrets: readonly string[];
  readonly sessions: ConsoleAccessOptions['sessions'];
  readonly publicBaseUrl: string;
  /** Finds the operator of a token. */
  readonly operators: Pick<OperatorTokens, 'authenticate' | 'forget'>;
  /** Last use of tokens, by operator name. */
  readonly operatorUse: Pick<LastUse, 'note'>;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
  /** Adds what is served without a token: the page on which operators sign in. */
  readonly addPage: (router: Router) => void;
  /** Responds whether every service can work. */
  readonly status: RequestHandler;
  /** What waits in the gateway itself. */
  readonly ownQueues: () => Promise<ServiceQueues>;
}
