import type { OperatorRole, PresentOperator } from '@parcelway/contracts/operator-api';
import { type Client, createClient } from '@parcelway/page/api/client';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';

export interface SignedIn {
  /** The token is inside of it, out of reach. */
  readonly client: Client;
  readonly operator: PresentOperator;
}

export interface Session {
  readonly signedIn: SignedIn | undefined;
  /** True after the platform has refused the token of somebody who was signed in. */
  readonly refused: boolean;
  readonly signIn: (token: string) => Promise<void>;
  readonly signOut: () => void;
}

const Context = createContext<Session | undefined>(undefined);

/** Where the API is: beside the page, under whatever prefix a proxy puts in front. */
const apiBase = (): string => new URL('.', location.origin + location.pathname).href;

/** Keeps the session of everything inside. It is in memory only, so a reload ends it. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [state, setState] = useState<Pick<Session, 'signedIn' | 'refused'>>({ signedIn: undefined, refused: false });
  const session = useMemo<Session>(
    () => ({
      ...state,
      async signIn(token) {
        // A refusal while the token is being proved is a response to the form, not the end of a session.
        let proved = false;
        const onRefused = (): void => {
          if (proved) setState({ signedIn: undefined, refused: true });
        };
        const client = createClient({
          key: token,
          scheme: 'bearer',
          base: apiBase(),
          onRefused,
          fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
        });
        const operator = await client.call<PresentOperator>('/admin/v1/operator');
        proved = true;
        setState({ signedIn: { client, operator }, refused: false });
      },
      signOut: () => setState({ signedIn: undefined, refused: false }),
    }),
    [state],
  );
  return <Context.Provider value={session}>{children}</Context.Provider>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error('useSession needs a SessionProvider around it');
  return session;
}

export function useClient(): Client {
  const { signedIn } = useSession();
  if (signedIn === undefined) throw new Error('Nobody is signed in');
  return signedIn.client;
}

/** The roles, each with all that the ones before it may do. Not from the contracts, whose schemas would come along. */
export const ROLES: readonly OperatorRole[] = ['read', 'support', 'admin'];

/** Whether the signed-in operator may do what a role is needed for. The gateway decides; this only hides what it would refuse. */
export function useMay(needed: OperatorRole): boolean {
  const role = useSession().signedIn?.operator.role ?? 'read';
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
