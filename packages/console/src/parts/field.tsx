import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** What is handed to the control of a field. */
export interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
}

/** What a field needs. */
export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly optional?: string | undefined;
  readonly children: (ids: ControlIds) => ComponentChildren;
}

/** A control with its label and a hint, tied together. */
export function Field({ label, hint, optional, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>
        {label} {optional !== undefined && <span class="faint">({optional})</span>}
      </label>
      {children(hint === undefined ? { id } : { id, 'aria-describedby': hintId })}
      {hint !== undefined && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
