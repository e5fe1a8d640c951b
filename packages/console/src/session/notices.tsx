import { FormDialog } from '@parcelway/page/parts/form-dialog';
import { Button, RequestId } from '@parcelway/page/parts/view';
import { useRef, useState } from 'preact/hooks';
import { useNow } from '../data/hooks.ts';
import { absoluteTime } from '../format.ts';
import { linkFailureText } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.ts';
import { Field } from '../parts/forms.tsx';
import { useSession } from './session.tsx';

interface KeyPromptProps {
  readonly text: string;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

export function KeyPrompt({ text, onDone, onClose }: KeyPromptProps) {
  const { t } = useWords();
  const { signIn } = useSession();
  const field = useRef<HTMLInputElement>(null);
  const enter = async (): Promise<void> => {
    const key = field.current?.value.trim() ?? '';
    if (key === '') return;
    await signIn(key);
    onDone?.();
  };
  return (
    <FormDialog title={t.session.again} text={text} submit={t.session.again} noValidate onSubmit={enter} onClose={onClose}>
      <Field label={t.signIn.key}>
        {(ids) => <input {...ids} ref={field} type="password" autocomplete="off" spellcheck={false} autocapitalize="none" required />}
      </Field>
    </FormDialog>
  );
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
      {endsSoon && !isLink && <Button onClick={() => setAsks(true)} text={t.session.again} />}
      {asks && <KeyPrompt text={t.session.stays} onDone={close} onClose={close} />}
    </div>
  );
}
