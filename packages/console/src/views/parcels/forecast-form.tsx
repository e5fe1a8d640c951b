import type { Warehouse } from '@parcelway/contracts/warehouse-api';
import { type ApiFailure, type FieldFault, faultsAt } from '@parcelway/page/api/failure';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { listWarehouses } from '../../api/parcels.ts';
import { useLoad } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice, Field } from '../../parts/forms.tsx';
import { useUnsaved } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import type { ForecastValues } from './forecast-values.ts';
import { DocumentField, ItemFields } from './item-fields.tsx';

/** Which fields a form has: `new` all, `all` those that a correction may change, `documents` the two PDFs. */
export type FormExtent = 'new' | 'all' | 'documents';

export interface ForecastFormProps {
  /** What there is: entries that are different are not saved. */
  readonly start: ForecastValues;
  /** What is entered already; default what there is. */
  readonly entered?: ForecastValues | undefined;
  readonly extent: FormExtent;
  readonly submit: string;
  readonly cancelHref: string;
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  readonly onSubmit: (values: ForecastValues) => void;
  /** Called when something is typed: what was found before may hold no longer. */
  readonly onEdit?: () => void;
  /** A way on after the failure, beside what it says. */
  readonly wayOn?: { readonly text: string; readonly go: (values: ForecastValues) => void } | undefined;
  /** What is to be said before the button. */
  readonly children?: ComponentChildren;
}

const FIELDS = [
  'po_number',
  'forecast_type',
  'warehouse_code',
  'due_date',
  'carton_count',
  'shipping_label',
  'shipping_note',
  'items',
] as const;

interface PartProps {
  readonly values: ForecastValues;
  readonly faultsOf: (field: (typeof FIELDS)[number]) => readonly FieldFault[];
  readonly change: (part: Partial<ForecastValues>) => void;
}

/** What identifies a forecast, and does not change. */
function Identity({ values, faultsOf, change }: PartProps) {
  const { t } = useWords();
  return (
    <>
      <Field label={t.fields.po_number} hint={t.parcelForm.poHint} faults={faultsOf('po_number')}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={64}
            value={values.poNumber}
            onInput={(event) => change({ poNumber: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t.fields.forecast_type} faults={faultsOf('forecast_type')}>
        {(ids) => (
          <select {...ids} value={values.forecastType} onChange={(event) => change({ forecastType: event.currentTarget.value })}>
            {Object.entries(t.parcels.types).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}

/** Where the parcel goes: one of the warehouses, or a code where they are not known. */
function WarehouseField({ values, faultsOf, change, warehouses }: PartProps & { readonly warehouses: readonly Warehouse[] }) {
  const { t } = useWords();
  const { warehouseCode } = values;
  const known = warehouses.some(({ code }) => code === warehouseCode);
  return (
    <Field label={t.fields.warehouse_code} faults={faultsOf('warehouse_code')}>
      {(ids) =>
        warehouses.length === 0 ? (
          <input
            {...ids}
            required
            maxLength={64}
            value={warehouseCode}
            onInput={(event) => change({ warehouseCode: event.currentTarget.value })}
          />
        ) : (
          <select {...ids} required value={warehouseCode} onChange={(event) => change({ warehouseCode: event.currentTarget.value })}>
            {!known && <option value={warehouseCode}>{warehouseCode || t.parcelForm.choose}</option>}
            {warehouses.map(({ code, name }) => (
              <option key={code} value={code}>{`${code} · ${name}`}</option>
            ))}
          </select>
        )
      }
    </Field>
  );
}

function Arrival({ values, faultsOf, change }: PartProps) {
  const { t } = useWords();
  return (
    <div class="pair">
      <Field label={t.fields.due_date} optional={t.common.optional} faults={faultsOf('due_date')}>
        {(ids) => <input {...ids} type="date" value={values.dueDate} onInput={(event) => change({ dueDate: event.currentTarget.value })} />}
      </Field>
      <Field label={t.fields.carton_count} optional={t.common.optional} faults={faultsOf('carton_count')}>
        {(ids) => (
          <input
            {...ids}
            inputMode="numeric"
            value={values.cartonCount}
            onInput={(event) => change({ cartonCount: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
}

function DocumentFields({ values, faultsOf, change }: PartProps) {
  const { t } = useWords();
  const optional = values.forecastType === '2' ? undefined : t.common.optional;
  return (
    <>
      <DocumentField
        label={t.fields.shipping_label}
        url={values.shippingLabel}
        optional={optional}
        faults={faultsOf('shipping_label')}
        onChange={(shippingLabel) => change({ shippingLabel })}
      />
      <DocumentField
        label={t.fields.shipping_note}
        url={values.shippingNote}
        optional={optional}
        faults={faultsOf('shipping_note')}
        onChange={(shippingNote) => change({ shippingNote })}
      />
    </>
  );
}

/** A forecast that is submitted or corrected. The platform judges what is typed; its faults are shown at the fields. */
export function ForecastForm({
  start,
  entered = start,
  extent,
  submit,
  cancelHref,
  busy,
  failure,
  wayOn,
  onSubmit,
  onEdit,
  children,
}: ForecastFormProps) {
  const { t } = useWords();
  const client = useClient();
  const [typed, setValues] = useState(entered);
  const { data: warehouses = [] } = useLoad('warehouses', (signal) => listWarehouses(client, signal));
  const [only, another] = warehouses;
  // The only warehouse is chosen.
  const values = typed.warehouseCode === '' && only && !another ? { ...typed, warehouseCode: only.code } : typed;
  const change = (part: Partial<ForecastValues>): void => {
    setValues((before) => ({ ...before, ...part }));
    onEdit?.();
  };
  useUnsaved(JSON.stringify(typed) !== JSON.stringify(start));
  const form = useRef<HTMLFormElement>(null);
  // The first field with a fault comes into view, and takes what is typed next.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [failure]);
  const part = { values, change, faultsOf: (field: string) => faultsAt(failure, field) };
  return (
    <form
      ref={form}
      class="card form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(values);
      }}
    >
      {extent !== 'documents' && <p class="hint">{t.parcelForm.allRequired}</p>}
      {extent === 'new' && <Identity {...part} />}
      {extent !== 'documents' && <WarehouseField {...part} warehouses={warehouses} />}
      {extent !== 'documents' && <Arrival {...part} />}
      <DocumentFields {...part} />
      {extent !== 'documents' && <ItemFields items={values.items} failure={failure} onChange={(items) => change({ items })} />}
      <FailureNotice failure={failure} shownAtFields={FIELDS} />
      {wayOn && (
        <button type="button" aria-disabled={busy} onClick={() => wayOn.go(values)}>
          {wayOn.text}
        </button>
      )}
      {children}
      <div class="form-actions">
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? t.common.working : submit}
        </button>
        <a class="button" href={cancelHref}>
          {t.common.cancel}
        </a>
      </div>
    </form>
  );
}
