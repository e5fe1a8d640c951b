import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useState } from 'preact/hooks';
import { getEndpoint } from '../../api/webhooks.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';
import { DeliveriesSection } from './deliveries-section.tsx';
import { DeliveryChart } from './delivery-chart.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointCharts } from './endpoint-charts.tsx';
import { EndpointSettings } from './endpoint-settings.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { EndpointBadges } from './endpoints-view.tsx';

/** What the view needs. */
export interface EndpointViewProps {
  readonly endpointId: string;
  /** Only deliveries with this status; empty for all. */
  readonly status: string;
}

/** One endpoint: its health, its settings, its deliveries, and what can be done with it. */
export function EndpointView({ endpointId, status }: EndpointViewProps) {
  const { t } = useWords();
  const client = useClient();
  const {
    data: endpoint,
    failure,
    reload,
    replace,
  } = useLoad<WebhookEndpoint>(endpointId, (signal) => getEndpoint(client, endpointId, signal));
  // Counts what the merchant has sent from here, so that the list looks again at once.
  const [sent, setSent] = useState(0);
  const [looks, setLooks] = useState(0);
  const look = (): void => {
    reload();
    setLooks((count) => count + 1);
  };
  return (
    <>
      <PageHeading
        title={endpoint?.url ?? endpointId}
        crumbs={[{ href: hrefOf({ view: 'endpoints' }), text: t.endpoints.title }]}
        beside={endpoint && <EndpointBadges endpoint={endpoint} />}
        actions={endpoint && <EndpointActions endpoint={endpoint} onChange={replace} onSent={() => setSent((count) => count + 1)} />}
      />
      <FailureNotice failure={failure} onRetry={reload} />
      {endpoint === undefined ? (
        failure === undefined && <Skeleton rows={8} />
      ) : (
        <>
          <EndpointState endpoint={endpoint} turn={looks + sent} />
          <EndpointSettings endpoint={endpoint} />
          <DeliveryChart endpointId={endpointId} turn={looks + sent} />
          <EndpointCharts endpointId={endpointId} turn={looks + sent} />
          <DeliveriesSection endpointId={endpointId} status={status} sent={sent} onLook={look} />
        </>
      )}
    </>
  );
}
