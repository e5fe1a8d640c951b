import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { ForecastValidation } from '@parcelway/contracts/forecast-validation-api';
import type { Warehouse } from '@parcelway/contracts/warehouse-api';
import { pathOf } from '@parcelway/page/api/client';
import { ApiFailure, faultsAt, fieldFaults } from '@parcelway/page/api/failure';
import { type Action, useAction } from '@parcelway/page/data/use-load';
import { fill } from '@parcelway/page/languages';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button, LoadedBody, PageHeading } from '@parcelway/page/parts/view';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { FORECAST, FORECASTS, WAREHOUSES } from '../../api/parcels.ts';
import { useValues } from '../../data/hooks.ts';
import { inWords } from '../../messages/failure-text.ts';
import { useWords } from '../../messages/language.ts';
import { bound, Form, SelectField, TextField } from '../../parts/forms.tsx';
import { HOME, hrefOf, listHref } from '../../routing/route.ts';
import { goTo, useUnsaved } from '../../routing/use-route.ts';
import { useClient, useGet, useTenantId } from '../../session/session.tsx';
import { ForeignChanges } from './corrections.tsx';
import {
  correctable,
  correctionOf,
  type ForecastValues,
  fields,
  type Merged,
  mergedValues,
  NEW_FORECAST,
  submissionOf,
  valuesOfForecast,
} from './forecast-values.ts';
import { DocumentField, ItemFields } from './item-fields.tsx';

/** Which fields a form has: `new` all, `all` those that a correction may change, `documents` the two PDFs. */
type FormExtent = 'new' | 'all' | 'documents';

interface ForecastFormProps {
  /** What there is: entries that are different are not saved. */
  readonly start: ForecastValues;
  /** What is entered already; default what there is. */
  readonly entered?: ForecastValues | undefined;
  readonly extent: FormExtent;
  readonly submit: string;
  readonly cancelHref: string;
  readonly action: Action;
  readonly onSubmit: (values: ForecastValues) => void;
  /** Called when something is typed: what was found before may hold no longer. */
  readonly onEdit?: () => void;
  readonly wayOn?: { readonly text: string; readonly go: (values: ForecastValues) => void } | undefined;
  readonly children?: ComponentChildren;
}

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

/** A forecast that is submitted or corrected. The platform judges what is typed; its faults are shown at the fields. */
function ForecastForm(props: ForecastFormProps) {
  const { start, entered = start, extent, submit, cancelHref, action, wayOn, onSubmit, onEdit, children } = props;
  const { t } = useWords();
  const { busy, failure } = action;
  const [typed, set] = useValues(entered);
  const { warehouses = [] } = useGet<{ warehouses?: Warehouse[] }>(WAREHOUSES).data ?? {};
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
    <Form {...{ submit, cancelHref, action, footer }} noValidate shownAtFields={[...fields, 'items']} onSubmit={() => onSubmit(values)}>
      {extent !== 'documents' && <p class="hint">{t.parcelForm.allRequired}</p>}
      {extent === 'new' && (
        <>
          <TextField {...field('po_number')} label={t.fields.po_number} hint={t.parcelForm.poHint} required maxLength={64} />
          <SelectField {...field('forecast_type')} label={t.fields.forecast_type} options={t.parcels.types} />
        </>
      )}
      {extent !== 'documents' && <WarehouseField field={field} warehouses={warehouses} />}
      {extent !== 'documents' && (
        <div class="pair">
          <TextField {...field('due_date')} label={t.fields.due_date} optional={t.common.optional} type="date" />
          <TextField {...field('carton_count')} label={t.fields.carton_count} optional={t.common.optional} inputMode="numeric" />
        </div>
      )}
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

/** Submits one parcel. It is checked first: what is wrong comes to the fields, and what is unusual is shown before it is submitted. */
export function SubmitParcelView() {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const [warnings, setWarnings] = useState<ForecastValidation['warnings']>([]);
  const list = hrefOf(HOME);

  const submit = async (values: ForecastValues): Promise<void> => {
    const body = submissionOf(values);
    if (warnings.length === 0) {
      const found = await client.call<ForecastValidation>(FORECASTS, { method: 'POST', query: { validate_only: 'true' }, body });
      if (!found.valid) throw new ApiFailure(found.errors[0]?.code ?? '42201', { faults: fieldFaults(found) });
      if (found.warnings.length > 0) {
        setWarnings(found.warnings);
        return;
      }
    }
    const { po_number } = await client.call<ForecastAcceptance>(FORECASTS, { method: 'POST', body });
    announce(fill(t.parcelForm.submitted, po_number));
    goTo({ view: 'parcel', poNumber: po_number });
  };
  return (
    <>
      <PageHeading title={t.parcelForm.submitTitle} crumbs={[{ href: list, text: t.nav.parcels }]} />
      <p class="lead">
        {t.parcelForm.many} <a href={hrefOf({ view: 'new-import' })}>{t.imports.create}</a>
      </p>
      <ForecastForm
        start={NEW_FORECAST}
        extent="new"
        submit={warnings.length > 0 ? t.parcelForm.submitAnyway : t.parcelForm.submit}
        cancelHref={list}
        action={action}
        onEdit={() => setWarnings([])}
        onSubmit={(values) => action.run(() => submit(values))}
      >
        {warnings.length > 0 && (
          <div class="notice" role="alert">
            <p>{t.parcelForm.lookAt}</p>
            <ul>
              {warnings.map(({ field, message }) => (
                <li key={field + message}>{inWords(message, t)}</li>
              ))}
            </ul>
          </div>
        )}
      </ForecastForm>
    </>
  );
}

const CHANGED = '41201';

interface Base {
  readonly forecast: ForecastDetail;
  /** What was entered before the forecast was loaded again, and what somebody else had changed; undefined at first. */
  readonly merged?: Merged;
}

/** Corrects a forecast. If somebody else has corrected it since it was loaded, loads that version and keeps the entries. */
function Correction({ first }: { readonly first: ForecastDetail }) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const [{ forecast, merged }, setBase] = useState<Base>({ forecast: first });
  const { po_number: poNumber, version, status } = forecast;
  const extent = correctable(status);
  if (extent === 'nothing') return <p class="notice">{t.parcelForm.notCorrectable}</p>;
  const correct = async (values: ForecastValues): Promise<void> => {
    const body = correctionOf(values, forecast);
    // The version that the correction is based on: 41201 when it has another one by now.
    if (Object.keys(body).length > 0) await client.call(pathOf(FORECAST, poNumber), { method: 'PATCH', body, ifMatch: `"${version}"` });
    announce(t.common.saved);
    goTo({ view: 'parcel', poNumber });
  };
  const loadAgain = async (values: ForecastValues): Promise<void> => {
    const now = await client.call<ForecastDetail>(pathOf(FORECAST, poNumber));
    const left = correctable(now.status) === 'all' ? 'all' : 'documents';
    setBase({ forecast: now, merged: mergedValues(valuesOfForecast(forecast), valuesOfForecast(now), values, left) });
  };
  return (
    <>
      {extent === 'documents' && <p class="lead">{t.parcelForm.documentsOnly}</p>}
      {merged && <ForeignChanges key={version} changes={merged.changes} />}
      <ForecastForm
        key={`form ${version}`}
        start={valuesOfForecast(forecast)}
        entered={merged?.values}
        extent={extent}
        submit={t.common.save}
        cancelHref={hrefOf({ view: 'parcel', poNumber })}
        action={action}
        wayOn={
          action.failure?.code === CHANGED
            ? { text: t.parcelForm.loadAgain, go: (values) => action.run(() => loadAgain(values)) }
            : undefined
        }
        onSubmit={(values) => action.run(() => correct(values))}
      />
    </>
  );
}

export function CorrectParcelView({ poNumber }: { readonly poNumber: string }) {
  const { t } = useWords();
  const tenantId = useTenantId();
  const loaded = useGet<ForecastDetail>(pathOf(FORECAST, poNumber));
  return (
    <>
      <PageHeading
        title={fill(t.parcelForm.correctTitle, poNumber)}
        crumbs={[
          { href: listHref(tenantId), text: t.nav.parcels },
          { href: hrefOf({ view: 'parcel', poNumber }), text: poNumber },
        ]}
      />
      <LoadedBody loaded={loaded}>{(forecast) => <Correction first={forecast} />}</LoadedBody>
    </>
  );
}
