import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { defaultTenantScopes } from './scopes.ts';
import { instant, oneOf } from './text.ts';
import { inputWarnings } from './warnings.ts';

/** How long a session of the console lasts at most; seconds. */
export const CONSOLE_SESSION_SECONDS = 8 * 3600;
/** How long a link to the console may last; seconds. */
export const CONSOLE_LINK_SECONDS = { least: 60, standard: 3600, most: 3600 } as const;

/** Scopes that a link may give: all but the one that manages keys. */
export const linkScopes = defaultTenantScopes;

/** A session of the console. */
export const ConsoleSession = object('ConsoleSession', {
  token: Type.String({ description: 'Sent instead of the key, in `X-Api-Key`. It ends with the key, too' }),
  key_id: Type.String({ description: 'The key that it acts for; to revoke it ends the session' }),
  expires_at: instant('When the session ends'),
});
export type ConsoleSession = Static<typeof ConsoleSession>;

/** Body that creates a link. */
export const ConsoleLinkCreation = object('ConsoleLinkCreation', {
  scopes: Type.Optional(
    Type.Array(oneOf(linkScopes, 'Scope'), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description:
        'What the user may do: only scopes of the calling key. Default: those of them that read, `weighing:read` and `tracking:read`',
    }),
  ),
  expires_in_seconds: Type.Optional(
    Type.Integer({
      minimum: CONSOLE_LINK_SECONDS.least,
      maximum: CONSOLE_LINK_SECONDS.most,
      description: 'How long the link and what it opens work. Default 3600',
    }),
  ),
});
export type ConsoleLinkCreation = Static<typeof ConsoleLinkCreation>;

/** A link that opens the console for a user. */
export const ConsoleLink = object('ConsoleLink', {
  url: Type.String({ description: 'Opens the console, signed in. Anyone with the link can use it until it expires' }),
  key_id: Type.String({ description: 'The key that it acts for. Revoke the key to end the link at once' }),
  scopes: Type.Array(Type.String(), { description: 'What the user may do' }),
  expires_at: instant('When the link, and what it has opened, end'),
  warnings: inputWarnings,
});
export type ConsoleLink = Static<typeof ConsoleLink>;
