import type { ForecastImportPreview, ImportColumn, ImportPreviewColumn, ImportRow } from '@parcelway/contracts/import-api';
import { fill } from '@parcelway/page/languages';
import { Table } from '@parcelway/page/parts/table';
import { Badge } from '@parcelway/page/parts/view';
import { columnLabel, faultText, inWords } from '../../messages/failure-text.ts';
import { useWords } from '../../messages/language.ts';
import { holderOf, ignoredWithData, importFields, missingIn, parcelsOf, requiredFields, withField } from './import-columns.ts';

interface RowErrorsProps {
  readonly errors: ImportRow['errors'];
  readonly warnings?: ImportRow['warnings'];
  readonly columns: readonly ImportColumn[];
}

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
          {fill(t.imports.rowWarning, faultText(warning, t, columnLabel(warning.field, columns, t)))}
        </li>
      ))}
    </ul>
  );
}

export function ImportWarnings({ warnings }: { readonly warnings: ForecastImportPreview['warnings'] }) {
  const { t } = useWords();
  if (warnings.length === 0) return null;
  return (
    <details class="warnings">
      <summary>{fill(t.imports.warnings, warnings.length)}</summary>
      <ul>
        {warnings.map(({ field, message }) => (
          <li key={field + message}>{inWords(message, t)}</li>
        ))}
      </ul>
    </details>
  );
}

export function PreviewRows({ preview }: { readonly preview: ForecastImportPreview }) {
  const { t, locale } = useWords();
  const { columns, rows, warnings } = preview;
  const parcels = parcelsOf(rows);
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const listed = (numbers: readonly number[]): string => list.format(numbers.map(String));
  return (
    <>
      <ImportWarnings warnings={warnings} />
      {parcels.length > 0 && (
        <ul class="plain preview-parcels">
          {parcels.map((parcel) => (
            <li key={parcel.poNumber}>
              {fill(t.imports.oneParcel, listed(parcel.rows), parcel.poNumber)}
              {parcel.repeated.map(({ sku, rows: same }) => (
                <p key={sku} class="notice">
                  {fill(t.imports.repeatedSku, sku, listed(same))}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
      {rows.length === 0 ? (
        <p>{t.imports.noRows}</p>
      ) : (
        <Table
          caption={t.imports.preview}
          items={rows}
          idOf={({ row }) => String(row)}
          columns={[
            { head: t.imports.row, cell: ({ row }) => <span class="unbroken">{row}</span> },
            { head: t.fields.po_number, cell: ({ po_number }) => po_number ?? '–' },
            { head: t.parcel.sku, kind: 'wide', cell: ({ values }) => values['sku_code'] ?? '–' },
            { head: t.fields.forecast_quantity, kind: 'wide', cell: ({ values }) => values['forecast_quantity'] ?? '–' },
            {
              head: t.imports.outcome,
              cell: ({ errors }) =>
                errors.length === 0 ? <Badge tone="good">{t.imports.noErrors}</Badge> : <RowErrors errors={errors} columns={columns} />,
            },
          ]}
        />
      )}
    </>
  );
}

interface MappingTableProps {
  readonly columns: readonly ImportPreviewColumn[];
  readonly onChange: (columns: readonly ImportPreviewColumn[]) => void;
}

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
                aria-label={fill(t.imports.fieldOf, title)}
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
                      {holder === undefined ? label : fill(t.imports.taken, label, holder.title || t.imports.untitled)}
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
        <p class="notice">{fill(t.imports.notImported, unused.map(({ title }) => title || t.imports.untitled).join(', '))}</p>
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
