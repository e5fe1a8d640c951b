import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type ClientOptions, createClient, type FileClient } from '../api/client.ts';

/** A client for the API that serves the page, with the path prefix of a proxy. */
export const pageClient = (options: Omit<ClientOptions, 'base' | 'fetch'> & Partial<Pick<ClientOptions, 'fetch'>>): FileClient =>
  createClient({
    base: new URL('.', location.origin + location.pathname).href,
    fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
    ...options,
  });

interface State<SignedIn> {
  readonly signedIn: SignedIn | undefined;
  /** True when the platform refused the key during the session. */
  readonly refused: boolean;
}

export interface KeySession<SignedIn> extends State<SignedIn> {
  readonly signIn: (key: string) => Promise<void>;
  readonly signOut: () => void;
}

/** Creates a session that lives in memory only, so a reload ends it. @param prove checks a key; rejects an invalid one */
export function createKeySession<SignedIn>(prove: (key: string, onRefused: () => void) => Promise<SignedIn>): {
  readonly SessionProvider: (props: { readonly children: ComponentChildren }) => JSX.Element;
  readonly useSession: () => KeySession<SignedIn>;
} {
  const Context = createContext<KeySession<SignedIn> | undefined>(undefined);
  return {
    SessionProvider({ children }) {
      const [state, setState] = useState<State<SignedIn>>({ signedIn: undefined, refused: false });
      const session = useMemo<KeySession<SignedIn>>(
        () => ({
          ...state,
          async signIn(key) {
            // A refusal while the key is being proved is a response to the form, not the end of a session.
            let proved = false;
            const signedIn = await prove(key, () => proved && setState({ signedIn: undefined, refused: true }));
            proved = true;
            setState({ signedIn, refused: false });
          },
          signOut: () => setState({ signedIn: undefined, refused: false }),
        }),
        [state],
      );
      return <Context.Provider value={session}>{children}</Context.Provider>;
    },
    useSession() {
      const session = useContext(Context);
      if (session === undefined) throw new Error('useSession needs a SessionProvider around it');
      return session;
    },
  };
}
