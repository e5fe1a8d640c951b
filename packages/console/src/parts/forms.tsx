import { type ApiFailure, type FieldFault, faultsAt } from '@parcelway/page/api/failure';
import { Dialog } from '@parcelway/page/parts/dialog';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useAction } from '../data/hooks.ts';
import { failureText, faultText, fieldLabel, placeOf } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.ts';

interface FailureNoticeProps {
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

/**
 * The faults of a field until its value is changed: then nobody knows whether they still hold. The next judgement brings new ones.
 * @returns those that are open, and what closes them; of boxes and lists at `change`, because `input` comes before their value is known
 */
export function useOpenFaults(faults: readonly FieldFault[]): readonly [open: readonly FieldFault[], close: () => void] {
  const [closed, setClosed] = useState<FieldFault>();
  return [faults[0] === closed ? [] : faults, () => setClosed(faults[0])];
}

interface FaultsProps {
  readonly id: string;
  /** Nothing is shown without one. */
  readonly faults: readonly FieldFault[];
}

/** What the platform has found wrong with a field, shown at the field, which is why the field is not named again. */
export function Faults({ id, faults }: FaultsProps) {
  const { t } = useWords();
  if (faults.length === 0) return null;
  return (
    <ul id={id} class="faults">
      {faults.map((fault) => (
        <li key={fault.field + fault.message}>{faultText(fault, t, placeOf(fault.field, t.faults))}</li>
      ))}
    </ul>
  );
}

interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly optional?: string | undefined;
  readonly faults?: readonly FieldFault[];
  readonly children: (ids: ControlIds) => ComponentChildren;
}

export function Field({ label, hint, optional, faults: found = [], children }: FieldProps) {
  const [faults, close] = useOpenFaults(found);
  const id = useId();
  const hintId = `${id}-hint`;
  const faultsId = `${id}-faults`;
  const describedBy = [...(faults.length > 0 ? [faultsId] : []), ...(hint === undefined ? [] : [hintId])].join(' ');
  const ids: ControlIds = {
    id,
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    ...(faults.length > 0 ? { 'aria-invalid': true } : {}),
  };
  return (
    // The `input` of a list comes before its `change`: drawn again in between, the list would show its former value.
    <div class="field" onInput={(event) => event.target instanceof HTMLSelectElement || close()} onChange={close}>
      <label for={id}>
        {label} {optional !== undefined && <span class="faint">({optional})</span>}
      </label>
      {children(ids)}
      <Faults id={faultsId} faults={faults} />
      {hint !== undefined && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  /** What the other button does; default: cancel. For a question in which that word could mean both. */
  readonly keep?: string;
  /** True for what cannot be undone. */
  readonly danger?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Asks before something is done. It stays open with the reason when it could not be done. */
export function ConfirmDialog({ title, text, confirm, keep, danger = false, onConfirm, onClose, children }: ConfirmProps) {
  const { t } = useWords();
  const action = useAction();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <FailureNotice failure={action.failure} />
      <div class="dialog-actions">
        <button type="button" onClick={onClose}>
          {keep ?? t.common.cancel}
        </button>
        <button type="button" class={danger ? 'danger' : 'primary'} aria-disabled={action.busy} onClick={() => action.run(onConfirm)}>
          {action.busy ? t.common.working : confirm}
        </button>
      </div>
    </Dialog>
  );
}
