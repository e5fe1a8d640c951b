import type { OwnAccess } from '@parcelway/contracts/key-api';
import type { Scope } from '@parcelway/contracts/scopes';
import { createClient, type FileClient } from '@parcelway/page/api/client';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { getOwnAccess } from '../api/keys.ts';

/** Who is signed in, if anybody. */
export interface Session {
  /** Undefined until somebody has signed in. The key is inside of it, out of reach. */
  readonly client: FileClient | undefined;
  /** Tenant, environment and scopes of the key; undefined until somebody has signed in. */
  readonly access: OwnAccess | undefined;
  /** True after the platform has refused the key of somebody who was signed in. */
  readonly refused: boolean;
  /** Proves a key and signs in with it. @throws ApiFailure when the key opens nothing here */
  readonly signIn: (key: string) => Promise<void>;
  readonly signOut: () => void;
}

type State = Pick<Session, 'client' | 'access' | 'refused'>;

const NOBODY: State = { client: undefined, access: undefined, refused: false };

const Context = createContext<Session | undefined>(undefined);

/** Where the API is: beside the page, under whatever prefix a proxy puts in front. */
const apiBase = (): string => new URL('.', location.origin + location.pathname).href;

/** Keeps the session of everything inside. It is in memory only, so a reload ends it. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [state, setState] = useState(NOBODY);
  const session = useMemo<Session>(
    () => ({
      ...state,
      async signIn(key) {
        // A refusal while the key is being proved is a response to the form, not the end of a session.
        let proved = false;
        const onRefused = (): void => {
          if (proved) setState({ ...NOBODY, refused: true });
        };
        const client = createClient({ key, base: apiBase(), onRefused, fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }) });
        const access = await getOwnAccess(client);
        proved = true;
        setState({ client, access, refused: false });
      },
      signOut: () => setState(NOBODY),
    }),
    [state],
  );
  return <Context.Provider value={session}>{children}</Context.Provider>;
}

/** The session. */
export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error('useSession needs a SessionProvider around it');
  return session;
}

/** The client of the signed-in user; for views that need one. */
export function useClient(): FileClient {
  const { client } = useSession();
  if (client === undefined) throw new Error('Nobody is signed in');
  return client;
}

/** What the key of the signed-in user may do. */
export interface Permissions {
  /** True when the key has the scope. */
  readonly can: (scope: Scope) => boolean;
  /** True in the sandbox, where the warehouse and the carrier can be played. */
  readonly isSandbox: boolean;
}

/** What the key of the signed-in user may do; nothing when nobody is signed in. */
export function usePermissions(): Permissions {
  const { access } = useSession();
  return {
    can: (scope) => access?.key.scopes.includes(scope) ?? false,
    isSandbox: access?.environment === 'sandbox',
  };
}
