import { keyRoutes } from '@parcelway/contracts/account-routes';
import type { Environment } from '@parcelway/contracts/environment';
import { KeyChange, KeyCreation, KeyRotation, OVERLAP_SECONDS, type OwnAccess, TenantKeyListQuery } from '@parcelway/contracts/key-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { addContractRoutes, type RouteResponse } from '@parcelway/http/contract-routes';
import { type Idempotency, seedOf } from '@parcelway/http/idempotency';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, isoInstant } from '@parcelway/kernel/clock';
import { createTextSealer, type TextSealer } from '@parcelway/kernel/sealed-text';
import type { Store } from '@parcelway/store/store';
import type { Request, RequestHandler, Router } from 'express';
import { ListCursors } from '../../activity/adapters/list-cursors.ts';
import { activeKeyOf, exchangeOf } from '../../proxy/adapters/proxy.ts';
import { findTenant } from '../../tenants/tenants.ts';
import { assertKeyItself } from '../console-access.ts';
import { canonicalAddresses } from '../domain/key-rules.ts';
import type { KeyCaller, OwnKeys } from '../own-keys.ts';
import { ratesInForce, viewTenantKey } from './key-views.ts';

/** What the routes of keys work with. */
export interface KeyRoutesOptions {
  readonly keys: OwnKeys;
  readonly store: Store;
  readonly idempotency: Idempotency;
  readonly environment: Environment;
  /** Secret of the installation: seals cursors, and recorded responses, which have a key. */
  readonly fileSecrets: readonly string[];
  /** False while no key has a rate limit. */
  readonly limitRates: boolean;
  readonly clock: Clock;
}

const DEFAULT_PAGE = 20;

const creation = compileValidator(KeyCreation);
const changes = compileValidator(KeyChange);
const rotation = compileValidator(KeyRotation);
const listQuery = compileValidator(TenantKeyListQuery);

const keyIdOf = (req: Request): string => String(req.params['key_id']);

/** The key that makes a request, and where from. */
function callerOf(req: Request): KeyCaller {
  const { tenantId, keyId } = activeKeyOf(req).principal;
  return { tenantId: String(tenantId), keyId, address: exchangeOf(req).address };
}

/** The settings in a body, in our own names; only those that are given. */
function settingsOf({ scopes, description, expires_at, allowed_addresses }: KeyChange) {
  return {
    ...(scopes !== undefined && { scopes }),
    ...(description !== undefined && { description }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : Date.parse(expires_at) }),
    ...(allowed_addresses !== undefined && { allowedAddresses: canonicalAddresses(allowed_addresses) }),
  };
}

/** @throws AppError 42201 when a body says twice when the key expires */
function assertOneExpiry({ expires_at, expires_in_seconds }: KeyCreation): void {
  if (expires_at === undefined || expires_in_seconds === undefined) return;
  const message = 'expires_at must not be given together with expires_in_seconds; leave one of them out';
  throw AppError.validation([{ field: 'expires_at', rule: 'conflict', message }]);
}

function responsesOf({ keys, store, environment, fileSecrets, limitRates, clock }: KeyRoutesOptions) {
  const cursors = new ListCursors(fileSecrets, 'own keys');
  return {
    async getOwnAccess(req, { tenantId }): Promise<OwnAccess> {
      const { name, status } = await findTenant(store, tenantId);
      const { known, session } = activeKeyOf(req);
      const now = clock.now();
      return {
        tenant: { id: tenantId, name, status },
        environment,
        key: viewTenantKey(known.record, now),
        session: session && { kind: session.kind, expires_at: isoInstant(session.expiresAt) },
        rate_limits: ratesInForce(known.record, limitRates),
        server_time: isoInstant(now),
      };
    },
    async listKeys(req, caller) {
      const { query, after } = cursors.read(req, listQuery, caller.tenantId);
      const page = await keys.list(caller, Number(query.limit ?? DEFAULT_PAGE), after);
      const now = clock.now();
      return { keys: page.records.map((record) => viewTenantKey(record, now)), next_cursor: cursors.next(page, caller.tenantId) };
    },
    getKey: async (req, caller) => viewTenantKey(await keys.get(caller, keyIdOf(req)), clock.now()),
    async createKey(req, caller) {
      const body = creation.parse(req.body);
      assertOneExpiry(body);
      const { expires_in_seconds: expiresInSeconds, expires_at, ...rest } = body;
      const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at);
      const request = { ...settingsOf(rest), description: body.description, expiresInSeconds, expiresAt };
      const { record, key } = await keys.create(caller, request, seedOf(req));
      exchangeOf(req).createdId = record.keyId;
      return { ...viewTenantKey(record, clock.now()), key, warnings: bodyWarnings(body, creation.fields) };
    },
    async updateKey(req, caller) {
      const body = changes.parse(req.body);
      const changed = await keys.change(caller, keyIdOf(req), settingsOf(body));
      return { ...viewTenantKey(changed, clock.now()), warnings: bodyWarnings(body, changes.fields) };
    },
    async rotateKey(req, caller) {
      const body = rotation.parse(req.body);
      const overlap = body.overlap_seconds ?? OVERLAP_SECONDS.standard;
      const { record, key, former } = await keys.rotate(caller, keyIdOf(req), overlap, seedOf(req));
      const former_expires_at = isoInstant(former.expiresAt as number);
      return { ...viewTenantKey(record, clock.now()), key, former_expires_at, warnings: bodyWarnings(body, rotation.fields) };
    },
    async revokeKey(req, caller) {
      const { record, isRepetition } = await keys.revoke(caller, keyIdOf(req));
      if (isRepetition) exchangeOf(req).res.setHeader('Idempotent-Replayed', 'true');
      return viewTenantKey(record, clock.now());
    },
  } satisfies Record<string, RouteResponse<KeyCaller>>;
}

/**
 * Lets a request take effect once. Its response, which has a key, is recorded sealed, and only for the same calling key: another one may have fewer scopes.
 */
function once(route: string, idempotency: Idempotency, sealer: TextSealer): RequestHandler {
  const ownerOf = (req: Request): string => callerOf(req).tenantId;
  return async (req, res, next) => {
    const claim = idempotency.claimOf(route, ownerOf, req, res, { sealer });
    if (claim === undefined || (await claim(`${callerOf(req).keyId} ${JSON.stringify(req.body)}`))) next();
  };
}

/** Routes that make or widen keys, which would outlive a session. One that revokes ends what is there, so a session may use it. */
const FOR_KEYS_ALONE: ReadonlySet<string> = new Set(['createKey', 'updateKey', 'rotateKey']);

/** Lets no session of the console through. It comes before a recorded response is repeated, which has a key. */
const refuseSessions: RequestHandler = (req, _res, next) => {
  assertKeyItself(activeKeyOf(req).session);
  next();
};

/** Adds the routes with which tenants manage their keys. The proxy has already made every check. Throws when a route of the contract has no response here. */
export function addKeyRoutes(router: Router, options: KeyRoutesOptions): void {
  const sealer = createTextSealer(options.fileSecrets);
  addContractRoutes(router, keyRoutes, {
    responses: responsesOf(options),
    callerOf,
    before: (id) => (FOR_KEYS_ALONE.has(id) ? [refuseSessions] : []),
    once: (id) => once(id, options.idempotency, sealer),
  });
}
