import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';

type Announce = (text: string) => void;
const Context = createContext<Announce | undefined>(undefined);
/** Milliseconds for which a result stays on view. */
const SHOWN_MS = 5000;
/** Milliseconds after which it goes with the view: what was done on a view is also said on the one that follows at once. */
const FOLLOWS_MS = 1000;

export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [said, setSaid] = useState({ text: '', count: 0 });
  // A count, so that the same text said twice is shown twice.
  const announce = useCallback<Announce>((text) => setSaid((before) => ({ text, count: before.count + 1 })), []);
  useEffect(() => {
    if (said.text === '') return;
    const timer = setTimeout(() => setSaid((before) => ({ ...before, text: '' })), SHOWN_MS);
    const since = Date.now();
    const leave = (): void => {
      if (Date.now() - since > FOLLOWS_MS) setSaid((before) => ({ ...before, text: '' }));
    };
    addEventListener('hashchange', leave);
    return () => {
      clearTimeout(timer);
      removeEventListener('hashchange', leave);
    };
  }, [said]);
  return (
    <Context.Provider value={announce}>
      {children}
      <div class="announcer" role="status" aria-live="polite">
        {said.text !== '' && (
          <p key={said.count} class="announcement">
            {said.text}
          </p>
        )}
      </div>
    </Context.Provider>
  );
}

export function useAnnounce(): Announce {
  const announce = useContext(Context);
  if (announce === undefined) throw new Error('useAnnounce needs an Announcer around it');
  return announce;
}
