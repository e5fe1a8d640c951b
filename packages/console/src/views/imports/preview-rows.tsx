import type { ForecastImportPreview } from '@parcelway/contracts/import-api';
import { useWords } from '../../messages/language.ts';
import { Badge } from '../../parts/badge.tsx';
import { Table } from '../../parts/table.tsx';
import { parcelsOf } from './preview-parcels.ts';
import { RowErrors } from './row-errors.tsx';

/** What is unusual about a file. */
export function ImportWarnings({ warnings }: { readonly warnings: ForecastImportPreview['warnings'] }) {
  const { t } = useWords();
  if (warnings.length === 0) return null;
  return (
    <details class="warnings">
      <summary>{t.imports.warnings(warnings.length)}</summary>
      <ul>
        {warnings.map(({ field, message }) => (
          <li key={field + message}>{t.faults.say(message)}</li>
        ))}
      </ul>
    </details>
  );
}

/** Which rows form one parcel, and what is unusual about that. */
function PreviewParcels({ rows }: Pick<ForecastImportPreview, 'rows'>) {
  const { t, locale } = useWords();
  const parcels = parcelsOf(rows);
  if (parcels.length === 0) return null;
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const listed = (numbers: readonly number[]): string => list.format(numbers.map(String));
  return (
    <ul class="plain preview-parcels">
      {parcels.map((parcel) => (
        <li key={parcel.poNumber}>
          {t.imports.oneParcel(listed(parcel.rows), parcel.poNumber)}
          {parcel.repeated.map(({ sku, rows: same }) => (
            <p key={sku} class="notice">
              {t.imports.repeatedSku(sku, listed(same))}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** The first rows of a file as they would be submitted. */
export function PreviewRows({ preview }: { readonly preview: ForecastImportPreview }) {
  const { t } = useWords();
  const { columns, rows, warnings } = preview;
  return (
    <>
      <ImportWarnings warnings={warnings} />
      <PreviewParcels rows={rows} />
      {rows.length === 0 ? (
        <p>{t.imports.noRows}</p>
      ) : (
        <Table
          caption={t.imports.preview}
          items={rows}
          idOf={({ row }) => String(row)}
          columns={[
            { head: t.imports.row, cell: ({ row }) => <span class="unbroken">{row}</span> },
            { head: t.parcels.poNumber, cell: ({ po_number }) => po_number ?? '–' },
            { head: t.parcel.sku, kind: 'wide', cell: ({ values }) => values['sku_code'] ?? '–' },
            { head: t.parcel.quantity, kind: 'wide', cell: ({ values }) => values['forecast_quantity'] ?? '–' },
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
