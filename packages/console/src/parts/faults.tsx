import type { FieldFault } from '@parcelway/page/api/failure';
import { useState } from 'preact/hooks';
import { faultText, placeOf } from '../messages/fault-text.ts';
import { useWords } from '../messages/language.ts';

/**
 * The faults of a field until its value is changed: then nobody knows whether they still hold. The next judgement brings new ones.
 * @returns those that are open, and what closes them; of boxes and lists at `change`, because `input` comes before their value is known
 */
export function useOpenFaults(faults: readonly FieldFault[]): readonly [open: readonly FieldFault[], close: () => void] {
  const [closed, setClosed] = useState<FieldFault>();
  return [faults[0] === closed ? [] : faults, () => setClosed(faults[0])];
}

/** What the list needs. */
export interface FaultsProps {
  /** Ties the list to its control. */
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
