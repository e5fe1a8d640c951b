import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';

/** Where a tab keeps its session; undefined where the browser refuses it, as in some frames. */
export type TabStorage =
  | { getItem(name: string): string | null; setItem(name: string, value: string): void; removeItem(name: string): void }
  | undefined;

const NAME = 'parcelway.console.session';
const TOKEN = /^pfs_[A-Za-z0-9._-]+$/;
const LINK = '#link=';

function tabStorage(): TabStorage {
  try {
    return (globalThis as { readonly sessionStorage?: TabStorage }).sessionStorage;
  } catch {
    // A browser that keeps nothing for frames of other sites.
    return undefined;
  }
}

export function keepToken(token: string, storage: TabStorage = tabStorage()): void {
  try {
    storage?.setItem(NAME, token);
  } catch {
    forgetToken(storage);
  }
}

export const forgetToken = (storage: TabStorage = tabStorage()): void => storage?.removeItem(NAME);

/** The token of the tab; undefined without a valid one. Only the platform decides whether its session has ended: the clock of a browser may be wrong. */
export function keptToken(storage: TabStorage = tabStorage()): string | undefined {
  const token = storage?.getItem(NAME) ?? '';
  return TOKEN.test(token) ? token : undefined;
}

/** The token in a fragment that a link has brought; undefined for any other. */
export function tokenInFragment(fragment: string): string | undefined {
  const token = fragment.startsWith(LINK) ? fragment.slice(LINK.length) : '';
  return TOKEN.test(token) ? token : undefined;
}

export interface FirstTokens {
  /** Token of the link that was opened; undefined without one. */
  readonly link: string | undefined;
  /** Token of the session that the tab had before; undefined for none, and when the link has the same. */
  readonly kept: string | undefined;
}

/** True for a failure with which the platform says that a token opens nothing (4xx). Others, such as 50301 and `offline`, say nothing about the token. */
const isRefusal = ({ code }: ApiFailure): boolean => /^4\d{4}$/.test(code);
/** Why something failed; undefined when it did not. */
const failureOf = (work: Promise<void>): Promise<ApiFailure | undefined> => work.then(() => undefined, asFailure);

/**
 * Resumes the session of a link. When the platform refuses it, resumes the previous session of the tab.
 * @param enter proves a token and begins its session; rejects with an ApiFailure
 * @param onLinkRefused called before the former session is tried
 * @returns why no session has begun; undefined after success or without tokens
 */
export async function resumeWith(
  { link, kept }: FirstTokens,
  enter: (token: string) => Promise<void>,
  onLinkRefused: (failure: ApiFailure) => void,
): Promise<ApiFailure | undefined> {
  if (link !== undefined) {
    const failure = await failureOf(enter(link));
    if (failure === undefined || kept === undefined || !isRefusal(failure)) return failure;
    onLinkRefused(failure);
  }
  return kept === undefined ? undefined : failureOf(enter(kept));
}
