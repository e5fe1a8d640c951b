import { forgetToken, keepToken, keptToken, type TabStorage, tokenInFragment } from './kept-session.ts';
import type { FirstTokens } from './resuming.ts';

function storage(): TabStorage {
  try {
    return sessionStorage;
  } catch {
    // A browser that keeps nothing for frames of other sites.
    return undefined;
  }
}

/** Keeps the token of a session for reloads of this tab. */
export const keepInTab = (token: string): void => keepToken(storage(), token);

/** Forgets a session of this tab, unless it has another one meanwhile. */
export function forgetInTab(token: string): void {
  if (keptToken(storage()) === token) forgetToken(storage());
}

/** Forgets whatever session this tab has. */
export const clearTab = (): void => forgetToken(storage());

/** Takes the token of a link out of the address: nobody copies it from there, and going back does not lead to it. */
function takeLink(): string | undefined {
  const token = tokenInFragment(location.hash);
  if (token === undefined) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** The session that the tab had before it was reloaded. */
const inTab = (): string | undefined => keptToken(storage());

/** What the tab can begin with. It keeps the session that it had until the link has been proved. */
export function firstTokens(): FirstTokens {
  const link = takeLink();
  const kept = inTab();
  return { link, kept: kept === link ? undefined : kept };
}

/** Begins again when somebody opens a link in this tab while the page is there. @returns what stops it */
export function followLinks(): () => void {
  const follow = (): void => {
    if (tokenInFragment(location.hash) !== undefined) location.reload();
  };
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}
