import type { Warehouse } from '@parcelway/contracts/warehouse-api';
import { type Client, createClient } from '@parcelway/page/api/client';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { PlatformClock, watchConnection } from '../api/connection.ts';
import { readWarehouse } from '../api/warehouse.ts';
import { openIndexedDbStore } from '../queue/indexed-db-store.ts';
import { ReportQueue } from '../queue/report-queue.ts';

export interface SignedIn {
  /** The key is inside of it, out of reach. */
  readonly client: Client;
  readonly warehouse: Warehouse;
  readonly queue: ReportQueue;
  readonly clock: PlatformClock;
}

export interface Session {
  readonly signedIn: SignedIn | undefined;
  /** True after the platform has refused the key of a warehouse that was signed in. */
  readonly refused: boolean;
  /** False after a call to which the platform did not respond. */
  readonly online: boolean;
  readonly signIn: (key: string) => Promise<void>;
  readonly signOut: () => void;
}

const Context = createContext<Session | undefined>(undefined);

/** Where the API is: beside the page, under whatever prefix a proxy puts in front. */
const apiBase = (): string => new URL('.', location.origin + location.pathname).href;

/** Keeps the session of everything inside. The key is in memory only, so a reload ends it; what waits to be sent stays. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [state, setState] = useState<Pick<Session, 'signedIn' | 'refused'>>({ signedIn: undefined, refused: false });
  const [online, setOnline] = useState(true);
  const session = useMemo<Session>(
    () => ({
      ...state,
      online,
      async signIn(key) {
        // A refusal while the key is being proved is a response to the form, not the end of a session.
        let proved = false;
        const onRefused = (): void => {
          if (proved) setState({ signedIn: undefined, refused: true });
        };
        const clock = new PlatformClock();
        const fetched: typeof fetch = async (url, init) => clock.note(await fetch(url, { ...init, cache: 'no-store' }));
        const own = createClient({ key, base: apiBase(), onRefused, fetch: fetched });
        const warehouse = await readWarehouse(own);
        const store = await openIndexedDbStore(indexedDB);
        const queue = await ReportQueue.open({
          store,
          environment: own.environment,
          warehouseCode: warehouse.code,
          newId: () => `station-${crypto.randomUUID()}`,
          now: Date.now,
        });
        // Asks the browser not to clear what waits; the queue works without it.
        void navigator.storage?.persist?.();
        proved = true;
        setOnline(true);
        setState({ signedIn: { client: watchConnection(own, setOnline), warehouse, queue, clock }, refused: false });
      },
      signOut: () => setState({ signedIn: undefined, refused: false }),
    }),
    [state, online],
  );
  return <Context.Provider value={session}>{children}</Context.Provider>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error('useSession needs a SessionProvider around it');
  return session;
}
