import type { ConsoleSession } from '@parcelway/contracts/console-api';
import type { OwnAccess } from '@parcelway/contracts/key-api';
import type { Scope } from '@parcelway/contracts/scopes';
import type { FileClient } from '@parcelway/page/api/client';
import { ApiFailure } from '@parcelway/page/api/failure';
import { createUseGet, createUseRead } from '@parcelway/page/data/use-load';
import { createUseList } from '@parcelway/page/data/use-pages';
import { pageClient } from '@parcelway/page/parts/session';
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { keyNames } from '../api/account.ts';
import { keepOnlyFor } from './tenant-memory.ts';
import { type FirstTokens, forgetToken, keepToken, keptToken, resumeWith, tokenInFragment } from './tokens.ts';

interface State {
  /** Calls with the token of the session; undefined until somebody has signed in. */
  readonly client: FileClient | undefined;
  /** Calls with the key itself, which makes and changes keys; undefined after a reload, and for a link. */
  readonly keyClient: FileClient | undefined;
  /** Tenant, environment and scopes of the session; undefined until somebody has signed in. */
  readonly access: OwnAccess | undefined;
  /** When the session ends by the clock of this browser, epoch milliseconds. */
  readonly endsAt: number;
  /** Why somebody who was signed in is not any more. */
  readonly goneBecause: 'refused' | 'ended' | undefined;
  readonly resuming: boolean;
  /** Why it could not be proved: it is tried again. */
  readonly failure: ApiFailure | undefined;
}

interface Session extends State {
  /** Proves a key and signs in with it. Views that are open stay. @throws ApiFailure when the key opens nothing here, or another account than is open @returns what calls with the key itself */
  readonly signIn: (key: string) => Promise<FileClient>;
  readonly resume: () => void;
  /** Why the last link was refused, when the tab resumed its previous session instead. */
  readonly linkFailure: ApiFailure | undefined;
  readonly forgetLinkFailure: () => void;
  readonly signOut: () => void;
}

const NOBODY: State = {
  client: undefined,
  keyClient: undefined,
  access: undefined,
  endsAt: Number.POSITIVE_INFINITY,
  goneBecause: undefined,
  resuming: false,
  failure: undefined,
};

const Context = createContext<Session | undefined>(undefined);

/** When a session ends by the clock of this browser, which may differ from that of the platform. */
const endOf = ({ session, server_time }: OwnAccess): number =>
  session === null ? Number.POSITIVE_INFINITY : Date.now() + Date.parse(session.expires_at) - Date.parse(server_time);

/** The tab keeps the session token for reloads. The key stays in memory only, for managing keys. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [tokens] = useState(firstTokens);
  const hasTokens = tokens.link !== undefined || tokens.kept !== undefined;
  const [state, setState] = useState<State>({ ...NOBODY, resuming: hasTokens });
  const [linkFailure, setLinkFailure] = useState<ApiFailure>();
  const enter = useCallback(async (token: string, keyClient?: FileClient, tenantId?: string): Promise<void> => {
    // Another session may have begun meanwhile: what ends then is not the one that is shown.
    const leave = (goneBecause: State['goneBecause']): void => {
      // Unless a newer one has taken its place in this tab.
      if (keptToken() === token) forgetToken();
      setState((now) => (now.client === client ? { ...NOBODY, goneBecause } : now));
    };
    const client = pageClient({ key: token, onRefused: () => leave(Date.now() < endsAt ? 'refused' : 'ended') });
    let endsAt = Number.POSITIVE_INFINITY;
    const access = await client.call<OwnAccess>('/open/v1/me');
    // What is being entered belongs to the account that is open.
    if (tenantId !== undefined && access.tenant.id !== tenantId) throw new ApiFailure('other-account');
    endsAt = endOf(access);
    keepToken(token);
    keepOnlyFor(access.tenant.id);
    setState({ ...NOBODY, client, keyClient, access, endsAt });
  }, []);
  const resume = useCallback((): void => {
    if (!hasTokens) return;
    const begin = async (): Promise<void> => {
      const failure = await resumeWith(tokens, enter, setLinkFailure);
      if (failure === undefined) return;
      setState(failure.code === '40003' ? { ...NOBODY, goneBecause: 'ended' } : { ...NOBODY, failure });
    };
    setState({ ...NOBODY, resuming: true });
    setLinkFailure(undefined);
    void begin();
  }, [hasTokens, tokens, enter]);
  useEffect(resume, [resume]);
  useEffect(followLinks, []);
  useEndOf(state, setState);
  const session = useMemo<Session>(
    () => ({
      ...state,
      async signIn(key) {
        // A refusal of the key is a response to the form, not the end of a session.
        const keyClient = pageClient({ key, onRefused: () => undefined });
        await enter(
          (await keyClient.call<ConsoleSession>('open/v1/console/sessions', { method: 'POST' })).token,
          keyClient,
          state.access?.tenant.id,
        );
        setLinkFailure(undefined);
        return keyClient;
      },
      resume,
      linkFailure,
      forgetLinkFailure: () => setLinkFailure(undefined),
      signOut() {
        forgetToken();
        keepOnlyFor(undefined);
        setState(NOBODY);
        setLinkFailure(undefined);
      },
    }),
    [state, linkFailure, enter, resume],
  );
  return <Context.Provider value={session}>{children}</Context.Provider>;
}

/** Ends what is shown when its session ends, whatever is being looked at. */
function useEndOf({ client, endsAt }: State, setState: (change: (now: State) => State) => void): void {
  useEffect(() => {
    if (client === undefined || endsAt === Number.POSITIVE_INFINITY) return undefined;
    const end = (): void => setState((now) => (now.client === client ? { ...NOBODY, goneBecause: 'ended' } : now));
    const timer = setTimeout(end, Math.max(0, endsAt - Date.now()));
    return () => clearTimeout(timer);
  }, [client, endsAt, setState]);
}

export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error('useSession needs a SessionProvider around it');
  return session;
}

export function useClient(): FileClient {
  const { client } = useSession();
  if (client === undefined) throw new Error('Nobody is signed in');
  return client;
}

export const useRead = createUseRead(useClient);
export const useGet = createUseGet(useClient);
export const useList = createUseList(useClient);

export function useTenantId(): string {
  const { access } = useSession();
  if (access === undefined) throw new Error('Nobody is signed in');
  return access.tenant.id;
}

/** Permissions of the key of the signed-in user; none while signed out. */
export function usePermissions() {
  const { access } = useSession();
  return { can: (scope: Scope) => access?.key.scopes.includes(scope) ?? false, isSandbox: access?.environment === 'sandbox' };
}

/** Takes the token of a link out of the address: nobody copies it from there, and going back does not lead to it. */
function takeLink(): string | undefined {
  const token = tokenInFragment(location.hash);
  if (token === undefined) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

function firstTokens(): FirstTokens {
  const link = takeLink();
  const kept = keptToken();
  return { link, kept: kept === link ? undefined : kept };
}

/** Begins again when somebody opens a link in this tab while the page is there. @returns what stops it */
function followLinks(): () => void {
  const follow = (): void => {
    if (tokenInFragment(location.hash) !== undefined) location.reload();
  };
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** `key_id` → description of the keys that the user may know of: all of the account, or the one that is signed in. Empty until they are loaded, and when they cannot be. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { access } = useSession();
  const knowsAll = usePermissions().can('keys:manage');
  const { data = NO_NAMES } = useRead(`key names ${knowsAll}`, async (client, signal) => {
    if (knowsAll) return keyNames(client, signal);
    return access === undefined || access.key.description === '' ? NO_NAMES : new Map([[access.key.key_id, access.key.description]]);
  });
  return data;
}
