import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastValidation } from '@parcelway/contracts/forecast-validation-api';
import { ApiFailure, fieldFaults } from '@parcelway/page/api/failure';
import { useAction } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { correctForecast, getForecast, submitForecast, validateForecast } from '../../api/parcels.ts';
import { useWords } from '../../messages/language.ts';
import { LoadedBody, PageHeading } from '../../parts/lists.tsx';
import { HOME, hrefOf, listHref } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient, useRead, useTenantId } from '../../session/session.tsx';
import { ForeignChanges } from './corrections.tsx';
import { ForecastForm } from './forecast-form.tsx';
import {
  correctable,
  correctionOf,
  type ForecastValues,
  type Merged,
  mergedValues,
  NEW_FORECAST,
  submissionOf,
  valuesOfForecast,
} from './forecast-values.ts';

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
      const found = await validateForecast(client, body);
      if (!found.valid) throw new ApiFailure(found.errors[0]?.code ?? '42201', { faults: fieldFaults(found) });
      if (found.warnings.length > 0) {
        setWarnings(found.warnings);
        return;
      }
    }
    const { po_number } = await submitForecast(client, body);
    announce(t.parcelForm.submitted(po_number));
    goTo({ view: 'parcel', poNumber: po_number });
  };
  return (
    <>
      <PageHeading title={t.parcelForm.submitTitle} crumbs={[{ href: list, text: t.parcels.title }]} />
      <p class="lead">
        {t.parcelForm.many} <a href={hrefOf({ view: 'new-import' })}>{t.imports.create}</a>
      </p>
      <ForecastForm
        start={NEW_FORECAST}
        extent="new"
        submit={warnings.length > 0 ? t.parcelForm.submitAnyway : t.parcelForm.submit}
        cancelHref={list}
        busy={action.busy}
        failure={action.failure}
        onEdit={() => setWarnings([])}
        onSubmit={(values) => action.run(() => submit(values))}
      >
        {warnings.length > 0 && (
          <div class="notice" role="alert">
            <p>{t.parcelForm.lookAt}</p>
            <ul>
              {warnings.map(({ field, message }) => (
                <li key={field + message}>{t.faults.say(message)}</li>
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
    if (Object.keys(body).length > 0) await correctForecast(client, poNumber, version, body);
    announce(t.common.saved);
    goTo({ view: 'parcel', poNumber });
  };
  const loadAgain = async (values: ForecastValues): Promise<void> => {
    const now = await getForecast(client, poNumber);
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
        busy={action.busy}
        failure={action.failure}
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
  const loaded = useRead(poNumber, (client, signal) => getForecast(client, poNumber, signal));
  return (
    <>
      <PageHeading
        title={t.parcelForm.correctTitle(poNumber)}
        crumbs={[
          { href: listHref(tenantId), text: t.parcels.title },
          { href: hrefOf({ view: 'parcel', poNumber }), text: poNumber },
        ]}
      />
      <LoadedBody loaded={loaded}>{(forecast) => <Correction first={forecast} />}</LoadedBody>
    </>
  );
}
