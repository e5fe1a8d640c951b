import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { correctForecast, getForecast } from '../../api/parcels.ts';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { listHref } from '../../routing/last-list.ts';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient, useTenantId } from '../../session/session.tsx';
import { ForecastForm } from './forecast-form.tsx';
import { correctable, correctionOf, type ForecastValues, valuesOfForecast } from './forecast-values.ts';

/** Corrects a forecast as it was read: if somebody else has corrected it in the meantime, nothing changes. */
function Correction({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const { po_number: poNumber, version, status } = forecast;
  const extent = correctable(status);
  if (extent === 'nothing') return <p class="notice">{t.parcelForm.notCorrectable}</p>;
  const correct = async (values: ForecastValues): Promise<void> => {
    const body = correctionOf(values, forecast);
    if (Object.keys(body).length > 0) await correctForecast(client, poNumber, version, body);
    announce(t.common.saved);
    goTo({ view: 'parcel', poNumber });
  };
  return (
    <>
      {extent === 'documents' && <p class="lead">{t.parcelForm.documentsOnly}</p>}
      <ForecastForm
        start={valuesOfForecast(forecast)}
        extent={extent}
        submit={t.common.save}
        cancelHref={hrefOf({ view: 'parcel', poNumber })}
        busy={action.busy}
        failure={action.failure}
        onSubmit={(values) => action.run(() => correct(values))}
      />
    </>
  );
}

/** The form that corrects a parcel. */
export function CorrectParcelView({ poNumber }: { readonly poNumber: string }) {
  const { t } = useWords();
  const client = useClient();
  const tenantId = useTenantId();
  const { data: forecast, failure, reload } = useLoad(poNumber, (signal) => getForecast(client, poNumber, signal));
  return (
    <>
      <PageHeading
        title={t.parcelForm.correctTitle(poNumber)}
        crumbs={[
          { href: listHref(tenantId), text: t.parcels.title },
          { href: hrefOf({ view: 'parcel', poNumber }), text: poNumber },
        ]}
      />
      <FailureNotice failure={failure} onRetry={reload} />
      {forecast === undefined ? failure === undefined && <Skeleton rows={8} /> : <Correction forecast={forecast} />}
    </>
  );
}
