import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { pathOf } from '@parcelway/page/api/client';
import { fill, nameIn } from '@parcelway/page/languages';
import { Badge, Button, Card, Facts, LoadedBody, PageHeading, TabLink } from '@parcelway/page/parts/view';
import { useState } from 'preact/hooks';
import { FORECAST } from '../../api/parcels.ts';
import { usePoll } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/lists.tsx';
import { CopyableId, FullTime, forecastTone, Time } from '../../parts/values.tsx';
import { hrefOf, listHref } from '../../routing/route.ts';
import { useGet, usePermissions, useTenantId } from '../../session/session.tsx';
import { CorrectionsSection } from './corrections.tsx';
import { GoodsSection, ReceivedSection, ReportPhotos, WeightsSection } from './goods.tsx';
import { ParcelActions } from './parcel-actions.tsx';
import { TrackingSection } from './tracking-section.tsx';
import { WeighingSection } from './weighing-section.tsx';

const EXCEPTIONS_SHOWN = 3;

function Alarms({ forecast: { on_hold, holds, exceptions } }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  if (!on_hold && exceptions.length === 0) return null;
  const hold = holds.find(({ released_at }) => released_at === null);
  return (
    <section class="alarms" aria-label={t.findings.alarms}>
      {on_hold && (
        <div class="notice">
          <p>
            <strong>{t.parcels.conditions.onHold}</strong> {hold?.reason}
          </p>
          {hold && (
            <p class="faint">
              {t.findings.since} <FullTime at={hold.held_at} />
            </p>
          )}
        </div>
      )}
      <Growing items={exceptions} first={EXCEPTIONS_SHOWN}>
        {(shown) =>
          shown.map(({ reason, text, occurred_at, photos }, index) => (
            <div key={index} class="notice notice-bad">
              <p>
                <strong>{nameIn(t.findings.exceptions, reason)}</strong> {text}
              </p>
              <p class="faint">
                {t.findings.found} <FullTime at={occurred_at} />
              </p>
              <ReportPhotos photos={photos} of={nameIn(t.findings.exceptions, reason)} />
            </div>
          ))
        }
      </Growing>
    </section>
  );
}

type Link = readonly [name: string, url: string | null];

/** A product label with a page for each piece, to be printed. @param url of the label */
function perPiece(url: string): string {
  const pages = new URL(url);
  pages.searchParams.set('copies', 'quantity');
  return pages.href;
}

function Links({ links, note = '' }: { readonly links: readonly Link[]; readonly note?: string }) {
  const present = links.flatMap(([name, url]) => (url === null ? [] : [[name, url] as const]));
  if (present.length === 0 && note === '') return null;
  return (
    <span class="links">
      {present.map(([name, url]) => (
        <TabLink key={name} href={url} text={name} />
      ))}
      {note !== '' && <span class="faint">{note}</span>}
    </span>
  );
}

/** What moved the forecast from status to status, newest first, and the holds that are over. */
function HistorySection({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const { can } = usePermissions();
  const released = forecast.holds.filter(({ released_at }) => released_at !== null);
  return (
    <Card title={t.parcel.history}>
      <ol class="timeline">
        {forecast.history.toReversed().map(({ status, status_name, time, reason }) => (
          <li key={time + status}>
            <Badge tone={forecastTone(status)}>{nameIn(t.statuses, status, status_name)}</Badge>
            <p>{nameIn(t.parcel.reasons, reason)}</p>
            <p class="faint">
              <FullTime at={time} />
            </p>
          </li>
        ))}
      </ol>
      {released.length > 0 && (
        <>
          <h3>{t.findings.earlierHolds}</h3>
          <ul class="plain">
            {released.map(({ reason, held_at, released_at }) => (
              <li key={held_at}>
                {reason ?? t.findings.noReason}
                <p class="faint">
                  <FullTime at={held_at} /> – {released_at !== null && <FullTime at={released_at} />}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
      {can('webhooks:manage') && (
        <p>
          <a href={hrefOf({ view: 'events', type: '', range: 'all', poNumber: forecast.po_number })}>{t.parcel.events}</a>
        </p>
      )}
    </Card>
  );
}

/** Milliseconds between two looks, and how many of them, after a step of the sandbox. */
const LOOK_MS = 1000;
const LOOKS_AFTER_STEP = 5;

function Overview({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  return (
    <Card title={t.parcel.overview}>
      <Facts
        rows={[
          [t.parcels.filters.forecastNo, <CopyableId key="no" id={forecast.forecast_no} what={t.parcels.filters.forecastNo} />],
          [t.fields.forecast_type, nameIn(t.parcels.types, forecast.forecast_type)],
          [t.fields.warehouse_code, forecast.warehouse_code],
          [t.fields.due_date, forecast.due_date],
          [t.fields.carton_count, forecast.carton_count === null ? null : String(forecast.carton_count)],
          [t.parcel.carrier, forecast.carrier_code],
          [
            t.parcel.trackingNumber,
            forecast.tracking_number && <CopyableId key="tracking" id={forecast.tracking_number} what={t.parcel.trackingNumber} />,
          ],
          [
            t.parcel.documents,
            <span key="documents" class="stack">
              <Links
                links={[
                  [t.fields.shipping_label, forecast.shipping_label],
                  [t.fields.shipping_note, forecast.shipping_note],
                ]}
              />
              <Links
                links={[
                  [t.findings.productLabel, forecast.marketplace_label],
                  [t.findings.labelPerPiece, perPiece(forecast.marketplace_label)],
                  [t.findings.packingSlip, forecast.packing_slip],
                ]}
                note={fill(t.findings.version, forecast.marketplace_label_version)}
              />
            </span>,
          ],
          [t.parcels.created, <Time key="created" at={forecast.create_time} />],
          [t.parcels.updated, <Time key="updated" at={forecast.update_time} />],
        ]}
      />
    </Card>
  );
}

/** One parcel: what was submitted and corrected, what the warehouse found, measured and photographed, and its way. */
export function ParcelView({ poNumber }: { readonly poNumber: string }) {
  const { t } = useWords();
  const tenantId = useTenantId();
  const loaded = useGet<ForecastDetail>(pathOf(FORECAST, poNumber));
  const { data: forecast, loading, reload } = loaded;
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
        crumbs={[{ href: listHref(tenantId), text: t.nav.parcels }]}
        beside={forecast && <Badge tone={forecastTone(forecast.status)}>{nameIn(t.statuses, forecast.status, forecast.status_name)}</Badge>}
        actions={
          <>
            <Button onClick={refresh} aria-disabled={loading} text={t.common.refresh} />
            {forecast && <ParcelActions forecast={forecast} onChange={reload} onPlayed={() => setLooks(LOOKS_AFTER_STEP)} />}
          </>
        }
      />
      <LoadedBody loaded={loaded}>
        {(forecast) => (
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
      </LoadedBody>
    </>
  );
}
