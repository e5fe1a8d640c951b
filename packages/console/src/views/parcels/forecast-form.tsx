import type { Warehouse } from '@parcelway/contracts/warehouse-api';
import { type ApiFailure, faultsAt } from '@parcelway/page/api/failure';
import { Button } from '@parcelway/page/parts/button';
import type { ComponentChildren } from 'preact';
import { listWarehouses } from '../../api/parcels.ts';
import { useValues } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { bound, Form, SelectField, TextField } from '../../parts/forms.tsx';
import { useUnsaved } from '../../routing/use-route.ts';
import { useRead } from '../../session/session.tsx';
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
  readonly wayOn?: { readonly text: string; readonly go: (values: ForecastValues) => void } | undefined;
  readonly children?: ComponentChildren;
}

const FIELDS = ['po_number', 'forecast_type', 'warehouse_code', 'due_date', 'carton_count', 'shipping_label', 'shipping_note', 'items'];

const DOCUMENTS = ['shipping_label', 'shipping_note'] as const;

type Bound = ReturnType<typeof bound<ForecastValues>>;

/** Where the parcel goes: one of the warehouses, or a code where they are not known. */
function WarehouseField({ field: bind, warehouses }: { readonly field: Bound; readonly warehouses: readonly Warehouse[] }) {
  const { t } = useWords();
  const field = { ...bind('warehouse_code'), label: t.fields.warehouse_code, required: true };
  const known = warehouses.some(({ code }) => code === field.value);
  if (warehouses.length === 0) return <TextField {...field} maxLength={64} />;
  return (
    <SelectField {...field} options={warehouses.map(({ code, name }) => [code, `${code} · ${name}`])}>
      {!known && <option value={field.value}>{field.value || t.parcelForm.choose}</option>}
    </SelectField>
  );
}

function Arrival({ field }: { readonly field: Bound }) {
  const { t } = useWords();
  return (
    <div class="pair">
      <TextField {...field('due_date')} label={t.fields.due_date} optional={t.common.optional} type="date" />
      <TextField {...field('carton_count')} label={t.fields.carton_count} optional={t.common.optional} inputMode="numeric" />
    </div>
  );
}

/** A forecast that is submitted or corrected. The platform judges what is typed; its faults are shown at the fields. */
export function ForecastForm(props: ForecastFormProps) {
  const { start, entered = start, extent, submit, cancelHref, busy, failure, wayOn, onSubmit, onEdit, children } = props;
  const { t } = useWords();
  const [typed, set] = useValues(entered);
  const { data: warehouses = [] } = useRead('warehouses', listWarehouses);
  const [only, another] = warehouses;
  // The only warehouse is chosen.
  const values = typed.warehouse_code === '' && only && !another ? { ...typed, warehouse_code: only.code } : typed;
  const change = (part: Partial<ForecastValues>): void => {
    set(part);
    onEdit?.();
  };
  useUnsaved(JSON.stringify(typed) !== JSON.stringify(start));
  const field = bound(values, change, failure);
  const footer = (
    <>
      {wayOn && <Button aria-disabled={busy} onClick={() => wayOn.go(values)} text={wayOn.text} />}
      {children}
    </>
  );
  return (
    <Form {...{ submit, cancelHref, busy, failure, footer }} noValidate shownAtFields={FIELDS} onSubmit={() => onSubmit(values)}>
      {extent !== 'documents' && <p class="hint">{t.parcelForm.allRequired}</p>}
      {extent === 'new' && (
        <>
          <TextField {...field('po_number')} label={t.fields.po_number} hint={t.parcelForm.poHint} required maxLength={64} />
          <SelectField {...field('forecast_type')} label={t.fields.forecast_type} options={t.parcels.types} />
        </>
      )}
      {extent !== 'documents' && <WarehouseField field={field} warehouses={warehouses} />}
      {extent !== 'documents' && <Arrival field={field} />}
      {DOCUMENTS.map((name) => (
        <DocumentField
          key={name}
          label={t.fields[name]}
          url={values[name]}
          optional={values.forecast_type === '2' ? undefined : t.common.optional}
          faults={faultsAt(failure, name)}
          onChange={(url) => change({ [name]: url })}
        />
      ))}
      {extent !== 'documents' && <ItemFields items={values.items} failure={failure} onChange={(items) => change({ items })} />}
    </Form>
  );
}
