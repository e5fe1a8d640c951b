import { KeyIssue, KeyListQuery, OperatorKeyChange } from '@parcelway/contracts/admin-api';
import { CONSOLE_LINK_SECONDS, type ConsoleLink, ConsoleLinkCreation } from '@parcelway/contracts/console-api';
import { KeyRotation, OVERLAP_SECONDS } from '@parcelway/contracts/key-api';
import { readingTenantScopes } from '@parcelway/contracts/scopes';
import { compileValidator } from '@parcelway/contracts/validator';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request } from 'express';
import { ListCursors } from '../../activity/adapters/list-cursors.ts';
import { viewKey } from '../../keys/adapters/key-views.ts';
import { makeLink } from '../../keys/console-access.ts';
import { canonicalAddresses, LINK_DESCRIPTION } from '../../keys/domain/key-rules.ts';
import { changeKey, issueKey, type Judge, revokeKey, rotateKey } from '../../keys/manage-keys.ts';
import type { KeyHolder } from '../../proxy/domain/key.ts';
import { findTenant } from '../../tenants/tenants.ts';
import { noteCreated } from './admin-audit.ts';
import { type AdminOptions, markRepetition, OPERATOR, type Respond, rowsOf, tenantIdOf } from './admin-options.ts';
import type { OwnRoute } from './admin-routes.ts';
import { assertRole } from './operator-access.ts';

const keyIssue = compileValidator(KeyIssue);
const keyChange = compileValidator(OperatorKeyChange);
const keyRotation = compileValidator(KeyRotation);
const keyListQuery = compileValidator(KeyListQuery);
const linkCreation = compileValidator(ConsoleLinkCreation);

const keyIdOf = (req: Request): string => String(req.params['keyId']);

function holderOf({ tenant_id, warehouse_code }: KeyIssue): KeyHolder {
  return tenant_id !== undefined ? { kind: 'tenant', tenantId: tenant_id } : { kind: 'warehouse', warehouseCode: String(warehouse_code) };
}

/** A warehouse's key reaches the parcels of every tenant there, so it takes more than the keys of tenants do. */
function assertMayManage(req: Request, { kind }: KeyHolder): void {
  if (kind === 'warehouse') assertRole(req, 'admin');
}

const judgeOf =
  (req: Request): Judge =>
  ({ holder }) =>
    assertMayManage(req, holder);

/**
 * Makes a link to the console of a tenant. It has a key of its own, which nobody has seen and which ends with it: so the tenant sees the link among its keys, and
 * either of them can end it.
 */
function linkRoute(options: AdminOptions): Respond {
  return async (req, res) => {
    const body = linkCreation.parse(req.body);
    const tenant = await findTenant(options.store, tenantIdOf(req));
    if (tenant.status === 'suspended') throw new AppError('40902', 'The tenant is suspended, so its console opens for nobody');
    const scopes = body.scopes ?? readingTenantScopes;
    const expiresInSeconds = body.expires_in_seconds ?? CONSOLE_LINK_SECONDS.standard;
    const holder = { kind: 'tenant', tenantId: tenant.tenantId } as const;
    const { record } = await issueKey(options, { holder, scopes, expiresInSeconds, description: LINK_DESCRIPTION, isLink: true });
    const link = makeLink(options, { record, session: null }, { scopes, expiresInSeconds });
    noteCreated(res, record.keyId);
    return { ...link, warnings: bodyWarnings(body, linkCreation.fields) } satisfies ConsoleLink;
  };
}

/** The operator's routes of keys: list, issue, change, rotate, revoke, and links to the console. */
export function adminKeyRoutes(options: AdminOptions) {
  const { keyRing, clock, keys, fileSecrets } = options;
  const cursors = new ListCursors(fileSecrets, 'keys');
  return {
    'GET /admin/v1/keys': async (req) => {
      const { query, after } = cursors.read(req, keyListQuery, OPERATOR);
      const { tenant_id: tenantId, warehouse_code: warehouseCode } = query;
      const filter = { ...(tenantId !== undefined && { tenantId }), ...(warehouseCode !== undefined && { warehouseCode }) };
      const { limit, isPage } = rowsOf(query);
      const page = await keys.list(filter, limit, after);
      return { keys: page.records.map(viewKey), ...(isPage && { next_cursor: cursors.next(page, OPERATOR) }) };
    },
    'POST /admin/v1/keys': async (req, res) => {
      const body = keyIssue.parse(req.body);
      const rate = body.rate_limit;
      const holder = holderOf(body);
      assertMayManage(req, holder);
      const issued = await issueKey(options, {
        holder,
        scopes: body.scopes,
        expiresInSeconds: body.expires_in_seconds,
        rateLimit: rate === undefined || rate === 'off' ? rate : { perSecond: rate.per_second, burst: rate.burst },
        description: body.description,
        allowedAddresses: canonicalAddresses(body.allowed_addresses ?? []),
      });
      noteCreated(res, issued.record.keyId);
      return { ...viewKey(issued.record), key: issued.key };
    },
    'PATCH /admin/v1/keys/:keyId': async (req) => {
      const { scopes, description, expires_in_seconds: seconds, allowed_addresses: addresses } = keyChange.parse(req.body);
      const changes = {
        ...(scopes !== undefined && { scopes }),
        ...(description !== undefined && { description }),
        ...(seconds !== undefined && { expiresAt: seconds === null ? null : clock.now() + seconds * 1000 }),
        ...(addresses !== undefined && { allowedAddresses: canonicalAddresses(addresses) }),
      };
      const changed = await changeKey(options, keyIdOf(req), changes, judgeOf(req));
      keyRing.forgetHash(changed.hash);
      return viewKey(changed);
    },
    'POST /admin/v1/keys/:keyId/rotate': async (req) => {
      const { overlap_seconds: overlapSeconds = OVERLAP_SECONDS.standard } = keyRotation.parse(req.body);
      const { record, key, former } = await rotateKey(options, keyIdOf(req), { overlapSeconds, createdBy: null }, judgeOf(req));
      keyRing.forgetHash(former.hash);
      return { ...viewKey(record), key, former_expire_time: isoInstant(former.expiresAt as number) };
    },
    'POST /admin/v1/keys/:keyId/revoke': async (req, res) => {
      const { record, isRepetition } = await revokeKey(options, keyIdOf(req), judgeOf(req));
      keyRing.forgetHash(record.hash);
      options.notify();
      markRepetition(res, isRepetition);
      return viewKey(record);
    },
    'POST /admin/v1/tenants/:id/console-links': linkRoute(options),
  } satisfies Partial<Record<OwnRoute, Respond>>;
}
