import { useEffect, useRef } from 'preact/hooks';
import { useWords } from '../messages/language.ts';
import { FailureNotice } from '../parts.tsx';
import { useSession } from '../session.tsx';
import { useAction } from '../use-load.ts';

/**
 * Asks for the token. The field is not controlled: the browser holds what is typed and no attribute ever does. It has no name and the form no address, so
 * neither a submission nor a password manager's guess can carry it elsewhere.
 */
export function SignInView() {
  const { t } = useWords();
  const { refused, signIn } = useSession();
  const action = useAction();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${t.signIn.title} · Parcelway`;
  }, [t]);
  useEffect(() => field.current?.focus(), []);
  const show = (readable: boolean): void => {
    if (field.current !== null) field.current.type = readable ? 'text' : 'password';
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token !== '') action.run(() => signIn(token));
  };
  return (
    <div class="sign-in">
      <h1>{t.signIn.title}</h1>
      <p class="lead">{t.signIn.lead}</p>
      {refused && action.failure === undefined && (
        <p class="notice" role="alert">
          {t.signIn.refused}
        </p>
      )}
      <form onSubmit={submit} noValidate>
        <div class="field">
          <label for="token">{t.signIn.token}</label>
          <input
            id="token"
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            autocapitalize="none"
            aria-describedby="token-hint"
            required
          />
          <p id="token-hint" class="hint">
            {t.signIn.shape}
          </p>
        </div>
        <label class="check">
          <input type="checkbox" onChange={(event) => show(event.currentTarget.checked)} />
          {t.signIn.show}
        </label>
        <FailureNotice failure={action.failure} />
        <button type="submit" class="primary" aria-disabled={action.busy}>
          {action.busy ? t.common.working : t.signIn.submit}
        </button>
      </form>
      <p class="hint">{t.signIn.hint}</p>
    </div>
  );
}
