import { useAnnounce } from '@parcelway/page/parts/announce';
import { getEndpoint, updateEndpoint } from '../../api/webhooks.ts';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { hrefOf, type Route } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { changeOf } from './endpoint-values.ts';

/** Changes the settings of an endpoint. */
export function EditEndpointView({ endpointId }: { readonly endpointId: string }) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const { data: endpoint, failure, reload } = useLoad(endpointId, (signal) => getEndpoint(client, endpointId, signal));
  const back: Route = { view: 'endpoint', endpointId, status: '' };
  return (
    <>
      <PageHeading
        title={t.endpointForm.editTitle}
        crumbs={[
          { href: hrefOf({ view: 'endpoints' }), text: t.endpoints.title },
          { href: hrefOf(back), text: endpoint?.url ?? endpointId },
        ]}
      />
      <FailureNotice failure={failure} onRetry={reload} />
      {endpoint === undefined ? (
        failure === undefined && <Skeleton rows={8} />
      ) : (
        <EndpointForm
          endpoint={endpoint}
          submit={t.common.save}
          cancelHref={hrefOf(back)}
          busy={action.busy}
          failure={action.failure}
          onSubmit={(values) =>
            action.run(async () => {
              await updateEndpoint(client, endpointId, changeOf(values, endpoint));
              announce(t.common.saved);
              goTo(back);
            })
          }
        />
      )}
    </>
  );
}
