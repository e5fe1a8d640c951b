import type { ImportColumn, ImportRow } from '@parcelway/contracts/import-api';
import { columnLabel, faultText } from '../../messages/fault-text.ts';
import { useWords } from '../../messages/language.ts';

/** What the list needs. */
export interface RowErrorsProps {
  readonly errors: ImportRow['errors'];
  readonly warnings?: ImportRow['warnings'];
  /** Of the file. */
  readonly columns: readonly ImportColumn[];
}

/** Why a row fails, and what is unusual about it. An error names its column as the file does. */
export function RowErrors({ errors, warnings = [], columns }: RowErrorsProps) {
  const { t } = useWords();
  if (errors.length + warnings.length === 0) return '–';
  return (
    <ul class="plain">
      {errors.map((error) => (
        <li key={`${error.field} ${error.rule}`}>{faultText(error, t, columnLabel(error.field, columns, t))}</li>
      ))}
      {warnings.map((warning) => (
        <li key={`${warning.field} ${warning.message}`}>
          {t.imports.rowWarning(faultText(warning, t, columnLabel(warning.field, columns, t)))}
        </li>
      ))}
    </ul>
  );
}
