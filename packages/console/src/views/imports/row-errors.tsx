import type { ImportColumn, ImportRow } from '@parcelway/contracts/import-api';
import { columnLabel, faultText } from '../../messages/fault-text.ts';
import { useWords } from '../../messages/language.ts';

/** What the list needs. */
export interface RowErrorsProps {
  readonly errors: ImportRow['errors'];
  /** Of the file. */
  readonly columns: readonly ImportColumn[];
}

/** Why a row fails. An error names its column as the file does. */
export function RowErrors({ errors, columns }: RowErrorsProps) {
  const { t } = useWords();
  if (errors.length === 0) return '–';
  return (
    <ul class="plain">
      {errors.map((error) => (
        <li key={`${error.field} ${error.rule}`}>{faultText(error, t, columnLabel(error.field, columns, t))}</li>
      ))}
    </ul>
  );
}
