import type { FieldFault } from '@parcelway/page/api/failure';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Faults, useOpenFaults } from './faults.tsx';

/** Attributes for the control of a field. */
export interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** What a field needs. */
export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly optional?: string | undefined;
  /** What the platform has found wrong with the value. */
  readonly faults?: readonly FieldFault[];
  readonly children: (ids: ControlIds) => ComponentChildren;
}

/** A control with its label, its faults and a hint, tied together. */
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
