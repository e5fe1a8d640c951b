import { type ApiFailure, faultsAt } from '@parcelway/page/api/failure';
import { failureText } from '../messages/failure-text.ts';
import { faultText, fieldLabel } from '../messages/fault-text.ts';
import { useWords } from '../messages/language.ts';

/** What the notice needs. */
export interface FailureNoticeProps {
  /** Nothing is shown without one. */
  readonly failure: ApiFailure | undefined;
  readonly onRetry?: () => void;
  /** Fields that show their faults themselves: the notice does not repeat these. */
  readonly shownAtFields?: readonly string[];
}

/** Says what failed and what to do about it, with the request id that the operator can look up. */
export function FailureNotice({ failure, onRetry, shownAtFields = [] }: FailureNoticeProps) {
  const { t } = useWords();
  if (failure === undefined) return null;
  const shown = new Set(shownAtFields.flatMap((field) => faultsAt(failure, field)));
  const faults = failure.faults.filter((fault) => !shown.has(fault));
  const isMarked = shown.size > 0 && faults.length === 0;
  return (
    <div class={isMarked ? 'notice notice-bad notice-marked' : 'notice notice-bad'} role="alert">
      <p>{isMarked ? t.failures.fieldsMarked : failureText(failure, t.failures)}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault.field + fault.message}>{faultText(fault, t, fieldLabel(fault.field, t) || undefined)}</li>
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
