/** Where a tab keeps its session; undefined where the browser refuses it, as in some frames. */
export type TabStorage =
  | { getItem(name: string): string | null; setItem(name: string, value: string): void; removeItem(name: string): void }
  | undefined;

const NAME = 'parcelway.console.session';
const TOKEN = /^pfs_[A-Za-z0-9._-]+$/;
const LINK = '#link=';

/** Keeps the token of a session for reloads of the tab. A full storage costs the session at the next reload, nothing else. */
export function keepToken(storage: TabStorage, token: string): void {
  try {
    storage?.setItem(NAME, token);
  } catch {
    forgetToken(storage);
  }
}

/** Forgets the session of the tab. */
export function forgetToken(storage: TabStorage): void {
  storage?.removeItem(NAME);
}

/** The token that the tab has; undefined for none, and for what is none. Whether its session has ended is for the platform to say: a clock of a browser may be wrong. */
export function keptToken(storage: TabStorage): string | undefined {
  const token = storage?.getItem(NAME) ?? '';
  return TOKEN.test(token) ? token : undefined;
}

/** The token in a fragment that a link has brought; undefined for any other. */
export function tokenInFragment(fragment: string): string | undefined {
  const token = fragment.startsWith(LINK) ? fragment.slice(LINK.length) : '';
  return TOKEN.test(token) ? token : undefined;
}
