import { useState } from 'preact/hooks';
import { useNow } from '../data/use-now.ts';
import { absoluteTime } from '../format/time.ts';
import { useWords } from '../messages/language.ts';
import { KeyPrompt } from './key-prompt.tsx';
import { useSession } from './session.tsx';

/** How long before its end a session says so; milliseconds. */
const WARNED_MS = 10 * 60_000;

/** Says that a link is in use and when it ends, and of every session that it ends soon: what is being entered would be lost. */
export function SessionNotice() {
  const { t, locale } = useWords();
  const { access, endsAt } = useSession();
  const now = useNow();
  const [asks, setAsks] = useState(false);
  const isLink = access?.session?.kind === 'link';
  const endsSoon = endsAt - now < WARNED_MS;
  if (access === undefined || !(isLink || endsSoon)) return null;
  const end = absoluteTime(endsAt, locale);
  const close = (): void => setAsks(false);
  return (
    <div class={endsSoon ? 'notice notice-wait' : 'notice'} role={endsSoon ? 'alert' : 'status'}>
      <p>
        {isLink && t.session.link(end)} {endsSoon && t.session.endsSoon(end)}
      </p>
      {endsSoon && !isLink && (
        <button type="button" onClick={() => setAsks(true)}>
          {t.session.again}
        </button>
      )}
      {asks && <KeyPrompt text={t.session.stays} onDone={close} onClose={close} />}
    </div>
  );
}
