import { CONSOLE_LINK_SECONDS, type ConsoleLink, ConsoleLinkCreation } from '@parcelway/contracts/console-api';
import { readingTenantScopes } from '@parcelway/contracts/scopes';
import { compileValidator } from '@parcelway/contracts/validator';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Router } from 'express';
import { linkUrl, makeLink } from '../../keys/console-access.ts';
import { LINK_DESCRIPTION } from '../../keys/domain/link-rules.ts';
import { issueKey } from '../../keys/manage-keys.ts';
import { findTenant } from '../../tenants/manage-tenants.ts';
import { noteCreated } from './admin-audit.ts';
import type { AdminOptions } from './admin-options.ts';

const linkCreation = compileValidator(ConsoleLinkCreation);

/**
 * The operator's links to the console of a tenant. Each has a key of its own, which nobody has seen and which ends with it: so the tenant sees the link among
 * its keys, and either of them can end it.
 */
export function adminConsoleLinkRoutes(router: Router, options: AdminOptions): void {
  router.post('/admin/v1/tenants/:id/console-links', jsonBody({ optional: true }), async (req, res) => {
    const body = linkCreation.parse(req.body ?? {});
    const tenant = await findTenant(options.stores, String(req.params['id']));
    if (tenant.status === 'suspended') throw new AppError('40902', 'The tenant is suspended, so its console opens for nobody');
    const scopes = body.scopes ?? readingTenantScopes;
    const expiresInSeconds = body.expires_in_seconds ?? CONSOLE_LINK_SECONDS.standard;
    const holder = { kind: 'tenant', tenantId: tenant.id } as const;
    const description = LINK_DESCRIPTION;
    const { record } = await issueKey(options, { holder, scopes, expiresInSeconds, description, isLink: true });
    const { token, expiresAt } = makeLink(options, { record, session: null }, { scopes, expiresInSeconds });
    noteCreated(res, record.keyId);
    const link: ConsoleLink = {
      url: linkUrl(options.publicBaseUrl, token),
      key_id: record.keyId,
      scopes: [...scopes],
      expires_at: isoInstant(expiresAt),
      warnings: bodyWarnings(body, linkCreation.fields),
    };
    sendOk(res, link);
  });
}
