import type { ImportPreviewColumn } from '@parcelway/contracts/import-api';
import { useWords } from '../../messages/language.ts';
import { Table } from '../../parts/table.tsx';
import { holderOf, ignoredWithData, importFields, missingIn, requiredFields, withField } from './import-columns.ts';

/** What the table needs. */
export interface MappingTableProps {
  readonly columns: readonly ImportPreviewColumn[];
  readonly onChange: (columns: readonly ImportPreviewColumn[]) => void;
}

/** Which column fills which field, to be changed. */
export function MappingTable({ columns, onChange }: MappingTableProps) {
  const { t } = useWords();
  const rows = columns.map((column, index) => ({ ...column, index }));
  const missing = missingIn(columns);
  const unused = ignoredWithData(columns);
  return (
    <>
      <Table
        caption={t.imports.columns}
        items={rows}
        idOf={({ index }) => String(index)}
        columns={[
          {
            head: t.imports.column,
            cell: ({ title, sample }) => (
              <>
                {title || t.imports.untitled}
                {sample !== null && <span class="under narrow sample">{sample}</span>}
              </>
            ),
          },
          {
            head: t.imports.field,
            cell: ({ title, field, index }) => (
              <select
                aria-label={t.imports.fieldOf(title)}
                value={field ?? ''}
                onChange={({ currentTarget: { value } }) => onChange(withField(columns, index, value === '' ? null : value))}
              >
                <option value="">{t.imports.ignored}</option>
                {importFields.map((name) => {
                  const holder = holderOf(columns, index, name);
                  const label = requiredFields.includes(name) ? `${t.fields[name]} *` : t.fields[name];
                  return (
                    // Who passes over it with the keyboard must not take it from the other column.
                    <option key={name} value={name} disabled={holder !== undefined}>
                      {holder === undefined ? label : t.imports.taken(label, holder.title || t.imports.untitled)}
                    </option>
                  );
                })}
              </select>
            ),
          },
          { head: t.imports.sample, kind: 'wide', cell: ({ sample }) => <span class="sample">{sample ?? '–'}</span> },
        ]}
      />
      <p class="hint table-note">
        {t.imports.required} {t.imports.takenHint}
      </p>
      {!columns.some(({ field }) => field === 'forecast_type') && <p class="notice">{t.imports.noType}</p>}
      {unused.length > 0 && (
        <p class="notice">{t.imports.notImported(unused.length, unused.map(({ title }) => title || t.imports.untitled).join(', '))}</p>
      )}
      <div role="status">
        {missing.length > 0 && (
          <p class="notice notice-bad">
            {t.imports.missing} {missing.map((name) => t.fields[name]).join(', ')}
          </p>
        )}
      </div>
    </>
  );
}
