import type { FileClient } from '@parcelway/page/api/client';
import { fill } from '@parcelway/page/languages';
import { type Question, useAsk } from '@parcelway/page/parts/form-dialog';
import { Button, RequestId } from '@parcelway/page/parts/view';
import { useId, useRef } from 'preact/hooks';
import { useNow } from '../data/hooks.ts';
import { absoluteTime } from '../format.ts';
import { linkFailureText } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.ts';
import { useSession } from './session.tsx';

/** Asks for the key of the session. @returns the question, which says why it is asked and what follows */
export function useKeyQuestion() {
  const { t } = useWords();
  const { signIn } = useSession();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  return (text: string, next?: (keyClient: FileClient) => Question<object>): Question => ({
    title: t.session.again,
    text,
    submit: t.session.again,
    // The field has no name and no value attribute, so browsers do not store the key. A blank key is not sent.
    draw: () => (
      <div class="field">
        <label for={id}>{t.signIn.key}</label>
        <input id={id} ref={field} type="password" autocomplete="off" spellcheck={false} autocapitalize="none" required pattern=".*\S.*" />
      </div>
    ),
    async run() {
      const keyClient = await signIn(field.current?.value.trim() ?? '');
      return next?.(keyClient);
    },
  });
}

export function LinkNotice() {
  const { t } = useWords();
  const { client, linkFailure, forgetLinkFailure } = useSession();
  if (linkFailure === undefined) return null;
  const close = (): void => {
    // The button goes away, and the focus must not go with it.
    document.getElementById('content')?.focus();
    forgetLinkFailure();
  };
  return (
    <div class="notice notice-bad" role="alert">
      <p>
        {linkFailureText(linkFailure, t)} {client && t.session.asBefore}
      </p>
      <RequestId failure={linkFailure} />
      <Button onClick={close} text={t.common.close} />
    </div>
  );
}

/** How long before its end a session says so; milliseconds. */
const WARNED_MS = 10 * 60_000;

/** Says that a link is in use and when it ends, and of every session that it ends soon: what is being entered would be lost. */
export function SessionNotice() {
  const { t, locale } = useWords();
  const { access, endsAt } = useSession();
  const now = useNow();
  const [dialog, ask] = useAsk();
  const keyQuestion = useKeyQuestion();
  const isLink = access?.session?.kind === 'link';
  const endsSoon = endsAt - now < WARNED_MS;
  if (access === undefined || !(isLink || endsSoon)) return null;
  const end = absoluteTime(endsAt, locale);
  return (
    <div class={endsSoon ? 'notice notice-wait' : 'notice'} role={endsSoon ? 'alert' : 'status'}>
      <p>
        {isLink && fill(t.session.link, end)} {endsSoon && fill(t.session.endsSoon, end)}
      </p>
      {endsSoon && !isLink && <Button onClick={() => ask(keyQuestion(t.session.stays))} text={t.session.again} />}
      {dialog}
    </div>
  );
}
