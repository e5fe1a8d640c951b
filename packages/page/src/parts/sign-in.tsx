import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { asFailure } from '../api/failure.ts';
import type { SignInWords } from '../languages.ts';
import { useSpoken } from './language.tsx';
import { FailureNotice } from './view.tsx';

interface SignInProps {
  readonly words: SignInWords;
  /** Shown until an attempt fails, such as why the user was signed out. */
  readonly notice: ComponentChildren;
  readonly signIn: (key: string) => Promise<unknown>;
  /** True where keys are scanned: the next scan replaces a wrong one. */
  readonly isScanned?: boolean;
  readonly children: (failure: unknown) => ComponentChildren;
}

/**
 * Asks for a key. The field is not controlled, so no attribute holds the key. The form has no action and its field no
 * name, so the browser never sends the key.
 */
export function SignIn({ words, notice, signIn, isScanned = false, children }: SignInProps) {
  const { t } = useSpoken();
  const [{ busy, failure }, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    document.title = `${words.title} · Parcelway`;
  }, [words]);
  useEffect(() => field.current?.focus(), []);
  const show = (readable: boolean): void => {
    if (field.current !== null) field.current.type = readable ? 'text' : 'password';
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    if (key === '' || busy) return;
    setState({ busy: true });
    signIn(key).catch((error: unknown) => {
      setState({ busy: false, failure: error });
      if (isScanned) field.current?.select();
    });
  };
  return (
    <>
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      {failure === undefined && notice}
      <form onSubmit={submit} noValidate>
        <div class="field">
          <label for={id}>{words.key}</label>
          <input
            id={id}
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            autocapitalize="none"
            aria-describedby={`${id}-hint`}
            required
          />
          <p id={`${id}-hint`} class="hint">
            {words.shape}
          </p>
        </div>
        <label class="check">
          <input type="checkbox" onChange={(event) => show(event.currentTarget.checked)} />
          {words.show}
        </label>
        {children(failure)}
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? t.common.working : t.common.signIn}
        </button>
      </form>
      <p class="hint">{words.hint}</p>
    </>
  );
}

/** Asks for the credentials. @param props.because why the session ended; undefined when there was none */
export function SignInView({
  because,
  signIn,
}: {
  readonly because: string | undefined;
  readonly signIn: (key: string) => Promise<unknown>;
}) {
  const { t } = useSpoken();
  const notice = because !== undefined && (
    <p class="notice notice-wait" role="alert">
      {because}
    </p>
  );
  return (
    <div class="sign-in">
      <SignIn words={t.signIn} notice={notice} signIn={signIn}>
        {(failure) => <FailureNotice failure={failure === undefined ? undefined : asFailure(failure)} />}
      </SignIn>
    </div>
  );
}
