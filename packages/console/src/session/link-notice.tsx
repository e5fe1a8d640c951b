import { linkFailureText } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.ts';
import { useSession } from './session.tsx';

/** Says why a link opened nothing, beside the session that the tab had before. */
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
      {linkFailure.requestId !== '' && (
        <p class="faint">
          {t.failures.request} <code class="id">{linkFailure.requestId}</code>
        </p>
      )}
      <button type="button" onClick={close}>
        {t.common.close}
      </button>
    </div>
  );
}
