import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../data/hooks.ts';
import { useWords } from '../messages/language.ts';
import { FailureNotice, Field } from '../parts/forms.tsx';
import { useSession } from '../session/session.tsx';

/**
 * Asks for the key. The field is not controlled: the browser holds what is typed and no attribute ever does. It has no name and
 * the form no address, so neither a submission nor a password manager's guess can carry it elsewhere.
 */
export function SignInView() {
  const { t } = useWords();
  const { goneBecause, signIn } = useSession();
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
    const key = field.current?.value.trim() ?? '';
    if (key !== '') action.run(() => signIn(key));
  };
  return (
    <div class="sign-in">
      <h1>{t.signIn.title}</h1>
      <p class="lead">{t.signIn.lead}</p>
      {goneBecause !== undefined && action.failure === undefined && (
        <p class="notice notice-wait" role="alert">
          {t.signIn[goneBecause]}
        </p>
      )}
      <form onSubmit={submit} noValidate>
        <Field label={t.signIn.key} hint={t.signIn.shape}>
          {(ids) => <input {...ids} ref={field} type="password" autocomplete="off" spellcheck={false} autocapitalize="none" required />}
        </Field>
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
