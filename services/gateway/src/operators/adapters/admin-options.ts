import type { TenantListQuery } from '@parcelway/contracts/admin-api';
import type { ServiceQueues } from '@parcelway/contracts/queues-api';
import type { Idempotency } from '@parcelway/http/idempotency';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { Platform } from '@parcelway/platform/service';
import type { Request, Response, Router } from 'express';
import type { AuditTrail } from '../../activity/audit-trail.ts';
import type { ActivityStores } from '../../activity/open-activity.ts';
import type { ServiceUsage } from '../../activity/read-usage.ts';
import type { ConsoleAccessOptions } from '../../keys/console-access.ts';
import type { KeyContext } from '../../keys/manage-keys.ts';
import type { KeyRing } from '../../proxy/key-ring.ts';
import type { LastUse } from '../../proxy/last-use.ts';
import type { PlatformData } from '../../tenants/ports.ts';

/** What the operator's API works with. */
export interface AdminOptions extends KeyContext, Pick<Platform, 'settled' | 'bus' | 'logger' | 'publicBaseUrl'> {
  readonly stores: { readonly activity: ActivityStores };
  readonly serviceUsage: ServiceUsage;
  /** Keeps what operators change. */
  readonly trail: Pick<AuditTrail, 'begin'>;
  readonly keyRing: Pick<KeyRing, 'forgetHash' | 'forgetTenant'>;
  readonly services: Pick<ServiceClient, 'call'>;
  /** For calls that are passed on. */
  readonly relay: Pick<ServiceClient, 'send'>;
  readonly data: PlatformData;
  /** How long after every service has remembered the tenant the last look for data begins; milliseconds. */
  readonly erasureSettleMs: number;
  /** Says that an erasure has begun. */
  readonly erasureBegun: () => void;
  readonly idempotency: Idempotency;
  readonly sessions: ConsoleAccessOptions['sessions'];
  /** Of the installation. */
  readonly token: string;
  /** Last use of tokens, by operator name. */
  readonly operatorUse: Pick<LastUse, 'note'>;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
  /** Adds what is served without a token: the page on which operators sign in. */
  readonly addPage: (router: Router) => void;
  /** Responds whether every service can work. */
  readonly status: Respond;
  /** What waits in the gateway itself. */
  readonly ownQueues: () => Promise<ServiceQueues>;
}

/** Responds to a request of an operator: gives `data` of the response, or undefined once it has responded itself. */
export type Respond = (req: Request, res: Response) => object | undefined | Promise<object | undefined>;

/** The tenant in the path of a request. */
export const tenantIdOf = (req: Request): string => String(req.params['id']);

/** For whom cursors are sealed. */
export const OPERATOR = 'admin';
/** Rows of a page of which only the cursor is given. */
export const DEFAULT_PAGE = 100;
/** Most rows of a list without pages. */
export const MAX_ROWS = 10_000;

/** Which rows are asked for: a page, or the whole list as long as neither `limit` nor `cursor` is given. */
export function rowsOf({ limit, cursor }: Pick<TenantListQuery, 'limit' | 'cursor'>) {
  const isPage = limit !== undefined || cursor !== undefined;
  return { limit: isPage ? Number(limit ?? DEFAULT_PAGE) : MAX_ROWS, isPage };
}

/** Says that a request has changed nothing, because another one has before. */
export function markRepetition(res: Response, isRepetition: boolean): void {
  if (isRepetition) res.setHeader('Idempotent-Replayed', 'true');
}
