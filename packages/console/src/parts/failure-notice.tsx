import type { ApiFailure } from '../api/failure.ts';
import { failureText } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.tsx';

/** What the notice needs. */
export interface FailureNoticeProps {
  /** Nothing is shown without one. */
  readonly failure: ApiFailure | undefined;
  readonly onRetry?: () => void;
}

/** Says what failed and what to do about it, with the request id that the operator can look up. */
export function FailureNotice({ failure, onRetry }: FailureNoticeProps) {
  const { t } = useWords();
  if (failure === undefined) return null;
  return (
    <div class="notice notice-bad" role="alert">
      <p>{failureText(failure, t.failures)}</p>
      {failure.faults.length > 0 && (
        <ul>
          {failure.faults.map(({ field, message }) => (
            <li key={field + message}>
              {field !== '' && <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {failure.requestId !== '' && (
        <p class="faint">
          {t.failures.request} <code class="id">{failure.requestId}</code>
        </p>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {t.common.retry}
        </button>
      )}
    </div>
  );
}
