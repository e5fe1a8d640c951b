import type { ImportRow } from '@parcelway/contracts/import-api';
import { useWords } from '../../messages/language.ts';

/** Why a row fails. A message begins with the title of its column. */
export function RowErrors({ errors }: { readonly errors: ImportRow['errors'] }) {
  const { t } = useWords();
  if (errors.length === 0) return '–';
  return (
    <ul class="plain">
      {errors.map(({ field, rule, message }) => (
        <li key={`${field} ${rule}`}>{t.fault(message)}</li>
      ))}
    </ul>
  );
}
