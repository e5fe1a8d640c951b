import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { TrackingNode, TrackingResult } from '@parcelway/contracts/tracking-api';
import { queryTracking } from '../../api/parcels.ts';
import { useLoad } from '../../data/use-load.ts';
import { instantOfCarrier } from '../../format/time.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { FullTime } from '../../parts/time.tsx';
import { useClient } from '../../session/session.tsx';

/** Statuses that call for somebody to do something. */
const TROUBLE: readonly string[] = ['Exception', 'Delivery Attempted', 'Delivery Failure', 'Returning', 'Parcel Return to Origin'];

function toneOf(status: string): Tone {
  if (status === 'Delivery Success') return 'good';
  return TROUBLE.includes(status) ? 'bad' : 'busy';
}

/** When the carrier saw the parcel, in the time zone of the reader. */
function NodeTime({ node: { create_time, times } }: { readonly node: TrackingNode }) {
  const at = instantOfCarrier(create_time, times);
  return at === undefined ? `${create_time} ${times}` : <FullTime at={at} />;
}

function Node({ node, end }: { readonly node: TrackingNode; readonly end: boolean }) {
  const { t } = useWords();
  return (
    <li class={end ? 'timeline-end' : undefined}>
      <span class="links">
        <Badge tone={toneOf(node.admin_status)}>{t.parcel.adminStatuses[node.admin_status] ?? node.admin_status}</Badge>
        {end && <strong class="end-mark">{t.parcel.terminal}</strong>}
      </span>
      {node.content !== '' && <p>{node.content}</p>}
      <p class="faint">
        {node.address !== '' && `${node.address} · `}
        <NodeTime node={node} />
      </p>
    </li>
  );
}

function Timeline({ nodes, isTerminal }: { readonly nodes: readonly TrackingNode[]; readonly isTerminal: boolean }) {
  const { t } = useWords();
  if (nodes.length === 0) return <Empty title={t.parcel.noNodes} />;
  return (
    <ol class="timeline">
      {nodes.map((node, index) => (
        <Node key={`${node.create_time} ${node.status} ${index}`} node={node} end={index === 0 && isTerminal} />
      ))}
    </ol>
  );
}

/** Status of a forecast that was cancelled. */
const CANCELLED = 7;

interface NodesProps {
  readonly tracking: TrackingResult;
  readonly isCancelled: boolean;
}

/** One timeline; several parcels have one each, under carrier and number. A tracking service of a former release lists none. */
function Nodes({ tracking: { is_shipped, is_terminal, nodes, shipments = [] }, isCancelled }: NodesProps) {
  const { t } = useWords();
  if (!is_shipped && isCancelled) return <Empty title={t.parcel.notShippedEver} hint={t.parcel.notShippedEverHint} />;
  if (!is_shipped) return <Empty title={t.parcel.notShipped} hint={t.parcel.notShippedHint} />;
  if (shipments.length < 2) return <Timeline nodes={nodes} isTerminal={is_terminal} />;
  return shipments.map((shipment) => (
    <div key={shipment.tracking_number}>
      <h3>
        {shipment.carrier_code} {shipment.tracking_number}
      </h3>
      <Timeline nodes={shipment.nodes} isTerminal={shipment.is_terminal} />
    </div>
  ));
}

/** The way of the parcel, asked of the carrier as it is shown; newest first. */
export function TrackingSection({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const client = useClient();
  // Loaded again when the forecast has changed: a dispatch or the final status changes it, too.
  const { data, failure, reload } = useLoad(`${forecast.po_number} ${forecast.update_time}`, (signal) =>
    queryTracking(client, forecast.po_number, signal),
  );
  return (
    <section class="card" aria-labelledby="tracking">
      <h2 id="tracking">{t.parcel.tracking}</h2>
      <FailureNotice failure={failure} onRetry={reload} />
      {data === undefined ? (
        failure === undefined && <Skeleton rows={3} />
      ) : (
        <Nodes tracking={data} isCancelled={forecast.status === CANCELLED} />
      )}
    </section>
  );
}
