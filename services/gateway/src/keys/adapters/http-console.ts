import { consoleRoutes } from '@parcelway/contracts/account-routes';
import { type ConsoleLink, ConsoleLinkCreation, type ConsoleSession } from '@parcelway/contracts/console-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { addContractRoutes } from '@parcelway/http/contract-routes';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import { activeKeyOf, exchangeOf } from '../../proxy/adapters/proxy.ts';
import { beginSession, type ConsoleAccessOptions, type ConsoleCaller, makeLink } from '../console-access.ts';

const linkCreation = compileValidator(ConsoleLinkCreation);

function callerOf(req: Request): ConsoleCaller {
  const { known, session } = activeKeyOf(req);
  exchangeOf(req).createdId = known.record.keyId;
  return { record: known.record, session };
}

/** Adds the routes of console sessions and links. The proxy has already made every check. */
export function addConsoleRoutes(router: Router, options: ConsoleAccessOptions): void {
  const responses = {
    createConsoleSession(_req: Request, caller: ConsoleCaller): ConsoleSession {
      const { token, expiresAt } = beginSession(options, caller);
      return { token, key_id: caller.record.keyId, expires_at: isoInstant(expiresAt) };
    },
    createConsoleLink(req: Request, caller: ConsoleCaller): ConsoleLink {
      const body = linkCreation.parse(req.body ?? {});
      const link = makeLink(options, caller, { scopes: body.scopes, expiresInSeconds: body.expires_in_seconds });
      return { ...link, warnings: bodyWarnings(body, linkCreation.fields) };
    },
  };
  addContractRoutes(router, consoleRoutes, { responses, callerOf });
}
