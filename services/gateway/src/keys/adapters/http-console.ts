import { consoleRoutes } from '@parcelway/contracts/account-routes';
import { type ConsoleLink, ConsoleLinkCreation, type ConsoleSession } from '@parcelway/contracts/console-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { addContractRoutes } from '@parcelway/http/contract-routes';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import { exchangeOf } from '../../proxy/adapters/proxy.ts';
import { beginSession, type ConsoleAccessOptions, type ConsoleCaller, makeLink, viewLink } from '../console-access.ts';

/** What the routes work with. */
export interface ConsoleRoutesOptions extends ConsoleAccessOptions {
  readonly publicBaseUrl: string;
}

const linkCreation = compileValidator(ConsoleLinkCreation);

function callerOf(req: Request): ConsoleCaller {
  const { key } = exchangeOf(req);
  if (key === null) throw new AppError('50000', 'The route takes no key');
  return { record: key.known.record, session: key.session };
}

/** Adds the routes of console sessions and links. The proxy has already made every check. */
export function addConsoleRoutes(router: Router, options: ConsoleRoutesOptions): void {
  const responses = {
    createConsoleSession(req: Request, caller: ConsoleCaller): ConsoleSession {
      const { token, expiresAt } = beginSession(options, caller);
      const { keyId } = caller.record;
      exchangeOf(req).createdId = keyId;
      return { token, key_id: keyId, expires_at: isoInstant(expiresAt) };
    },
    createConsoleLink(req: Request, caller: ConsoleCaller): ConsoleLink {
      const body = linkCreation.parse(req.body ?? {});
      const made = makeLink(options, caller, { scopes: body.scopes, expiresInSeconds: body.expires_in_seconds });
      const { keyId } = caller.record;
      exchangeOf(req).createdId = keyId;
      return { ...viewLink(options.publicBaseUrl, keyId, made), warnings: bodyWarnings(body, linkCreation.fields) };
    },
  };
  addContractRoutes(router, consoleRoutes, { responses, callerOf });
}
