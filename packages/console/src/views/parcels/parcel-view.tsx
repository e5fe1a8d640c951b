import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useState } from 'preact/hooks';
import { getForecast } from '../../api/parcels.ts';
import { useLoad } from '../../data/use-load.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, forecastTone } from '../../parts/badge.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Time } from '../../parts/time.tsx';
import { listHref } from '../../routing/last-list.ts';
import { useClient, useTenantId } from '../../session/session.tsx';
import { Alarms } from './alarms.tsx';
import { CorrectionsSection } from './corrections-section.tsx';
import { Documents } from './documents.tsx';
import { GoodsSection } from './goods-section.tsx';
import { HistorySection } from './history-section.tsx';
import { ParcelActions } from './parcel-actions.tsx';
import { ReceivedSection } from './received-section.tsx';
import { TrackingSection } from './tracking-section.tsx';
import { WeighingSection } from './weighing-section.tsx';
import { WeightsSection } from './weights-section.tsx';

/** Milliseconds between two looks, and how many of them, after a step of the sandbox. */
const LOOK_MS = 1000;
const LOOKS_AFTER_STEP = 5;

function Overview({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  return (
    <section class="card" aria-labelledby="overview">
      <h2 id="overview">{t.parcel.overview}</h2>
      <Facts
        rows={[
          [t.parcels.forecastNo, <CopyableId key="no" id={forecast.forecast_no} what={t.parcels.forecastNo} />],
          [t.parcels.type, t.parcels.types[forecast.forecast_type]],
          [t.parcels.warehouse, forecast.warehouse_code],
          [t.parcels.due, forecast.due_date],
          [t.parcel.cartons, forecast.carton_count === null ? null : String(forecast.carton_count)],
          [t.parcel.carrier, forecast.carrier_code],
          [
            t.parcel.trackingNumber,
            forecast.tracking_number && <CopyableId key="tracking" id={forecast.tracking_number} what={t.parcel.trackingNumber} />,
          ],
          [t.parcel.documents, <Documents key="documents" forecast={forecast} />],
          [t.parcels.created, <Time key="created" at={forecast.create_time} />],
          [t.parcels.updated, <Time key="updated" at={forecast.update_time} />],
        ]}
      />
    </section>
  );
}

/** One parcel: what was submitted and corrected, what the warehouse found, measured and photographed, and its way. */
export function ParcelView({ poNumber }: { readonly poNumber: string }) {
  const { t } = useWords();
  const client = useClient();
  const tenantId = useTenantId();
  const { data: forecast, failure, loading, reload } = useLoad(poNumber, (signal) => getForecast(client, poNumber, signal));
  // How often to look again after the sandbox has played a step: its effect comes a moment later.
  const [looks, setLooks] = useState(0);
  const look = (): void => {
    reload();
    setLooks((left) => left - 1);
  };
  usePoll(look, looks > 0, LOOK_MS);
  const [turn, setTurn] = useState(0);
  const refresh = (): void => {
    reload();
    setTurn((count) => count + 1);
  };
  return (
    <>
      <PageHeading
        title={poNumber}
        crumbs={[{ href: listHref(tenantId), text: t.parcels.title }]}
        beside={
          forecast && <Badge tone={forecastTone(forecast.status)}>{t.parcels.statuses[forecast.status] ?? forecast.status_name}</Badge>
        }
        actions={
          <>
            <button type="button" onClick={refresh} aria-disabled={loading}>
              {t.common.refresh}
            </button>
            {forecast && <ParcelActions forecast={forecast} onChange={reload} onPlayed={() => setLooks(LOOKS_AFTER_STEP)} />}
          </>
        }
      />
      <FailureNotice failure={failure} onRetry={reload} />
      {forecast === undefined ? (
        failure === undefined && <Skeleton rows={8} />
      ) : (
        <>
          <Alarms forecast={forecast} />
          <div class="columns">
            <div>
              <Overview forecast={forecast} />
              <WeightsSection forecast={forecast} />
              <WeighingSection forecast={forecast} />
              <ReceivedSection received={forecast.received_items} />
              <GoodsSection items={forecast.items} />
            </div>
            <div>
              <TrackingSection forecast={forecast} turn={turn} onChange={reload} />
              <HistorySection forecast={forecast} />
              <CorrectionsSection forecast={forecast} />
            </div>
          </div>
        </>
      )}
    </>
  );
}
