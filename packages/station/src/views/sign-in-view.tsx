import { ApiFailure } from '@parcelway/page/api/failure';
import { Brand } from '@parcelway/page/parts/brand';
import { LanguageSwitch } from '@parcelway/page/parts/language';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { failureText } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.ts';
import { useSession } from '../session/session.tsx';

/** The bar above everything: whose station it is, the network, the language and the way out. */
export function StationBar({ children }: { readonly children?: ComponentChildren }) {
  const { t, language, choose } = useWords();
  const { signedIn, signOut } = useSession();
  return (
    <header class="bar">
      <div class="bar-inside">
        <Brand />
        {signedIn && (
          <span class={`environment environment-${signedIn.client.environment}`}>{t.environments[signedIn.client.environment]}</span>
        )}
        {signedIn && (
          <span class="warehouse">
            <strong>{signedIn.warehouse.code}</strong> <span class="warehouse-name">{signedIn.warehouse.name}</span>
          </span>
        )}
        {children}
        <span class="bar-end">
          <a href="docs/guides/station" target="_blank" rel="noreferrer">
            {t.guide}
          </a>
          <LanguageSwitch label={t.language} language={language} choose={choose} />
          {signedIn && (
            <button type="button" onClick={signOut}>
              {t.signOut}
            </button>
          )}
        </span>
      </div>
    </header>
  );
}

/**
 * Asks for the key. The field is not controlled: the browser holds what is typed and no attribute ever does. It has no name and
 * the form no address, so neither a submission nor a password manager's guess can carry it elsewhere.
 */
export function SignInView() {
  const { t } = useWords();
  const { refused, signIn } = useSession();
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure: unknown }>({ busy: false, failure: undefined });
  const field = useRef<HTMLInputElement>(null);
  const [id, hintId] = [useId(), useId()];
  useEffect(() => {
    document.title = `${t.signIn.title} · Parcelway`;
  }, [t]);
  useEffect(() => field.current?.focus(), []);

  const submit = (event: Event): void => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    if (key === '' || state.busy) return;
    setState({ busy: true, failure: undefined });
    signIn(key).catch((failure: unknown) => {
      setState({ busy: false, failure });
      // The next scan takes the place of the key that was wrong.
      field.current?.select();
    });
  };
  const { failure } = state;
  return (
    <>
      <StationBar />
      <main class="sign-in">
        <h1>{t.signIn.title}</h1>
        <p class="lead">{t.signIn.lead}</p>
        {refused && failure === undefined && (
          <p class="say say-bad" role="alert">
            {t.signIn.refused}
          </p>
        )}
        <form onSubmit={submit} noValidate>
          <div class="field">
            <label for={id}>{t.signIn.key}</label>
            <input
              id={id}
              aria-describedby={hintId}
              ref={field}
              type="password"
              autocomplete="off"
              spellcheck={false}
              autocapitalize="none"
              required
            />
            <p id={hintId} class="hint">
              {t.signIn.shape}
            </p>
          </div>
          <label class="check">
            <input
              type="checkbox"
              onChange={(event) => {
                if (field.current !== null) field.current.type = event.currentTarget.checked ? 'text' : 'password';
              }}
            />
            {t.signIn.show}
          </label>
          {failure !== undefined && (
            <p class="say say-bad" role="alert">
              {failure instanceof ApiFailure ? failureText(failure, t.failures) : t.failures.storage}
            </p>
          )}
          <button type="submit" class="primary" aria-disabled={state.busy}>
            {state.busy ? t.signIn.working : t.signIn.submit}
          </button>
        </form>
        <p class="hint">{t.signIn.hint}</p>
      </main>
    </>
  );
}
