import { KeyIssue, OperatorKeyChange } from '@parcelway/contracts/admin-api';
import { KeyRotation, OVERLAP_SECONDS } from '@parcelway/contracts/key-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import { viewKey } from '../../keys/adapters/key-views.ts';
import { canonicalAddresses } from '../../keys/domain/key-rules.ts';
import { changeKey, issueKey, type Judge, revokeKey, rotateKey } from '../../keys/manage-keys.ts';
import type { KeyHolder } from '../../proxy/domain/key.ts';
import { noteCreated } from './admin-audit.ts';
import type { AdminOptions } from './admin-options.ts';
import { assertRole } from './operator-access.ts';

const keyIssue = compileValidator(KeyIssue);
const keyChange = compileValidator(OperatorKeyChange);
const keyRotation = compileValidator(KeyRotation);

function holderOf({ tenant_id, warehouse_code }: KeyIssue): KeyHolder {
  return tenant_id !== undefined ? { kind: 'tenant', tenantId: tenant_id } : { kind: 'warehouse', warehouseCode: String(warehouse_code) };
}

/** A response that says that nothing has changed. */
const REPEATED = { headers: { 'Idempotent-Replayed': 'true' } } as const;

/** A warehouse's key reaches the parcels of every tenant there, so it takes more than the keys of tenants do. */
function assertMayManage(req: Request, { kind }: KeyHolder): void {
  if (kind === 'warehouse') assertRole(req, 'admin');
}

/** The operator's routes of keys, besides their list: issue, change, rotate, revoke. */
export function adminKeyRoutes(router: Router, options: AdminOptions): void {
  const { keyRing, clock } = options;
  const judgeOf =
    (req: Request): Judge =>
    ({ holder }) =>
      assertMayManage(req, holder);
  router.post('/admin/v1/keys', jsonBody(), async (req, res) => {
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
    sendOk(res, { ...viewKey(issued.record), key: issued.key });
  });
  router.patch('/admin/v1/keys/:keyId', jsonBody(), async (req, res) => {
    const { scopes, description, expires_in_seconds: seconds, allowed_addresses: addresses } = keyChange.parse(req.body);
    const changes = {
      ...(scopes !== undefined && { scopes }),
      ...(description !== undefined && { description }),
      ...(seconds !== undefined && { expiresAt: seconds === null ? null : clock.now() + seconds * 1000 }),
      ...(addresses !== undefined && { allowedAddresses: canonicalAddresses(addresses) }),
    };
    const changed = await changeKey(options, String(req.params.keyId), changes, judgeOf(req));
    keyRing.forgetHash(changed.hash);
    sendOk(res, viewKey(changed));
  });
  router.post('/admin/v1/keys/:keyId/rotate', jsonBody({ optional: true }), async (req, res) => {
    const { overlap_seconds: overlapSeconds = OVERLAP_SECONDS.standard } = keyRotation.parse(req.body);
    const request = { overlapSeconds, createdBy: null };
    const { record, key, former } = await rotateKey(options, String(req.params.keyId), request, judgeOf(req));
    keyRing.forgetHash(former.hash);
    sendOk(res, { ...viewKey(record), key, former_expire_time: isoInstant(former.expiresAt as number) });
  });
  router.post('/admin/v1/keys/:keyId/revoke', async (req, res) => {
    const { record, isRepetition } = await revokeKey(options, String(req.params.keyId), judgeOf(req));
    keyRing.forgetHash(record.hash);
    options.notify();
    sendOk(res, viewKey(record), isRepetition ? REPEATED : {});
  });
}
