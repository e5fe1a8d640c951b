import type { ImportRow } from '@parcelway/contracts/import-api';

/** Why a row fails. A message begins with the title of its column. */
export function RowErrors({ errors }: { readonly errors: ImportRow['errors'] }) {
  if (errors.length === 0) return '–';
  return (
    <ul class="plain">
      {errors.map(({ field, rule, message }) => (
        <li key={`${field} ${rule}`}>{message}</li>
      ))}
    </ul>
  );
}
