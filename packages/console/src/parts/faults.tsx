import type { FieldFault } from '@parcelway/page/api/failure';
import { faultText, placeOf } from '../messages/fault-text.ts';
import { useWords } from '../messages/language.ts';

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
