import type { ImportPreviewColumn } from '@parcelway/contracts/import-api';
import { useWords } from '../../messages/language.ts';
import { Table } from '../../parts/table.tsx';
import { importFields, missingIn, requiredFields, withField } from './import-columns.ts';

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
                {importFields.map((name) => (
                  <option key={name} value={name}>
                    {requiredFields.includes(name) ? `${t.fields[name]} *` : t.fields[name]}
                  </option>
                ))}
              </select>
            ),
          },
          { head: t.imports.sample, kind: 'wide', cell: ({ sample }) => <span class="sample">{sample ?? '–'}</span> },
        ]}
      />
      <p class="hint table-note">{t.imports.required}</p>
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
