import type { CarrierList } from '@parcelway/contracts/carrier-api';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastQueryResults, ForecastsQuery, QueriedForecast } from '@parcelway/contracts/forecast-query-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { TrackingNode, TrackingResult } from '@parcelway/contracts/tracking-api';
import type { Client } from '@parcelway/page/api/client';
import { useLoad } from '@parcelway/page/data/use-load';
import { fill, nameIn } from '@parcelway/page/languages';
import { Badge, Card, FailureNotice, LinkButton, Skeleton, type Tone } from '@parcelway/page/parts/view';
import { useEffect, useRef } from 'preact/hooks';
import { FORECASTS } from '../../api/parcels.ts';
import { usePoll } from '../../data/hooks.ts';
import { instantOfCarrier } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/lists.tsx';
import { FullTime } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, useGet, usePermissions } from '../../session/session.tsx';

const TROUBLE: readonly string[] = ['Exception', 'Delivery Attempted', 'Delivery Failure', 'Returning', 'Parcel Return to Origin'];

function toneOf(status: string): Tone {
  if (status === 'Delivery Success') return 'good';
  return TROUBLE.includes(status) ? 'bad' : 'busy';
}

/** The carrier of the sandbox; it needs no connection. */
const SIMULATED = 'simulated';

/** Shown for a parcel without tracking: its carrier may lack a connection. */
function NoNodes({ carrier }: { readonly carrier: string }) {
  const { t } = useWords();
  const { can } = usePermissions();
  const { data } = useGet<CarrierList>('/open/v1/carriers');
  const code = carrier.toLowerCase();
  const served = data === undefined || data.serves_all || code === SIMULATED || data.carriers.some((each) => each.carrier_code === code);
  if (served) return <Empty title={t.parcel.noNodes} />;
  return (
    <Empty
      title={fill(t.parcel.untracked, carrier)}
      hint={data.simulated ? `${t.parcel.untrackedHint} ${t.parcel.untrackedSandbox}` : t.parcel.untrackedHint}
    >
      {can('connections:manage') && <LinkButton href={hrefOf({ view: 'connections' })} text={t.nav.connections} />}
    </Empty>
  );
}

interface TimelineProps {
  readonly carrier: string;
  readonly nodes: readonly TrackingNode[];
  readonly isTerminal: boolean;
}

function Timeline({ carrier, nodes, isTerminal }: TimelineProps) {
  const { t } = useWords();
  if (nodes.length === 0) return <NoNodes carrier={carrier} />;
  return (
    <ol class="timeline">
      {nodes.map(({ admin_status, content, address, create_time, times, status }, index) => {
        const isEnd = index === 0 && isTerminal;
        const at = instantOfCarrier(create_time, times);
        return (
          <li key={`${create_time} ${status} ${index}`} class={isEnd ? 'timeline-end' : undefined}>
            <span class="links">
              <Badge tone={toneOf(admin_status)}>{nameIn(t.parcel.adminStatuses, admin_status)}</Badge>
              {isEnd && <strong class="end-mark">{t.parcel.terminal}</strong>}
            </span>
            {content !== '' && <p>{content}</p>}
            <p class="faint">
              {address !== '' && `${address} · `}
              {at === undefined ? `${create_time} ${times}` : <FullTime at={at} />}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

interface NodesProps {
  readonly tracking: TrackingResult;
  readonly carrier: string;
  readonly isCancelled: boolean;
}

/** One timeline; several parcels have one each, under carrier and number. */
function Nodes({ tracking: { is_shipped, is_terminal, nodes, shipments }, carrier, isCancelled }: NodesProps) {
  const { t } = useWords();
  if (!is_shipped && isCancelled) return <Empty title={t.parcel.notShippedEver} hint={t.parcel.notShippedEverHint} />;
  if (!is_shipped) return <Empty title={t.parcel.notShipped} hint={t.parcel.notShippedHint} />;
  if (shipments.length < 2) return <Timeline carrier={carrier} nodes={nodes} isTerminal={is_terminal} />;
  return shipments.map((shipment) => (
    <div key={shipment.tracking_number}>
      <h3>
        {shipment.carrier_code} {shipment.tracking_number}
      </h3>
      <Timeline carrier={shipment.carrier_code} nodes={shipment.nodes} isTerminal={shipment.is_terminal} />
    </div>
  ));
}

/** A forecast in short, with its stored tracking; no request to the carrier. @returns undefined for an unknown forecast */
async function readStored(client: Client, poNumber: string, signal: AbortSignal): Promise<QueriedForecast | undefined> {
  const body = { po_numbers: [poNumber], include: ['tracking'] } satisfies ForecastsQuery;
  const { results } = await client.call<ForecastQueryResults>(`${FORECASTS}/query`, { method: 'POST', body, signal });
  return results[0]?.data ?? undefined;
}

interface TrackingSectionProps {
  readonly forecast: ForecastDetail;
  readonly turn: number;
  readonly onChange: () => void;
}

/** Queries the carrier when it appears. While the parcel is shipped it then polls the stored tracking, without a request to the carrier. */
export function TrackingSection({ forecast, turn, onChange }: TrackingSectionProps) {
  const { t } = useWords();
  const client = useClient();
  const { po_number, update_time, status } = forecast;
  const isLook = useRef(false);
  // Loaded again when the forecast has changed: a dispatch or the final status changes it, too.
  const { data, failure, loading, reload } = useLoad(`${po_number} ${update_time}`, async (signal) => {
    const asksStore = isLook.current;
    isLook.current = false;
    const stored = asksStore ? await readStored(client, po_number, signal) : undefined;
    if (stored !== undefined && stored.update_time !== update_time) onChange();
    return stored?.tracking ?? client.call<TrackingResult>(`${FORECASTS}/tracking`, { query: { po_number }, signal });
  });
  useEffect(() => {
    if (turn === 0) return;
    isLook.current = false;
    reload();
  }, [turn]);
  const look = (): void => {
    if (loading) return;
    isLook.current = true;
    reload();
  };
  const unserved = failure?.code === '50001' ? (failure.data as { carrier_code?: string } | null)?.carrier_code : undefined;
  // What is stored says nothing of a carrier that is out: that stays until somebody tries again.
  usePoll(look, status === forecastStatuses.SHIPPED && data !== undefined && failure?.code !== '50001');
  return (
    <Card title={t.parcel.tracking}>
      {unserved === undefined ? <FailureNotice failure={failure} onRetry={reload} /> : <NoNodes carrier={unserved} />}
      {data === undefined ? (
        failure === undefined && <Skeleton rows={3} />
      ) : (
        <Nodes tracking={data} carrier={forecast.carrier_code ?? ''} isCancelled={status === forecastStatuses.CANCELLED} />
      )}
    </Card>
  );
}
