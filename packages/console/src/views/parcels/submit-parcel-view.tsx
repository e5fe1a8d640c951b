import type { ForecastValidation } from '@parcelway/contracts/forecast-validation-api';
import { ApiFailure, fieldFaults } from '@parcelway/page/api/failure';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { submitForecast, validateForecast } from '../../api/parcels.ts';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { PageHeading } from '../../parts/page-heading.tsx';
import { HOME, hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { ForecastForm } from './forecast-form.tsx';
import { type ForecastValues, NEW_FORECAST, submissionOf } from './forecast-values.ts';

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
