import type { WebhookEndpointWithSecret } from '@parcelway/contracts/webhook-endpoint-api';
import { useAction, useLoad } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { createEndpoint, getEndpoint, updateEndpoint } from '../../api/webhooks.ts';
import { useWords } from '../../messages/language.ts';
import { LoadedBody, PageHeading } from '../../parts/lists.tsx';
import { hrefOf, type Route } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { EndpointSecretDialog } from './endpoint-dialogs.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { changeOf, creationOf } from './endpoint-values.ts';

export function CreateEndpointView() {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const [created, setCreated] = useState<WebhookEndpointWithSecret>();
  const list = hrefOf({ view: 'endpoints' });
  return (
    <>
      <PageHeading title={t.endpointForm.createTitle} crumbs={[{ href: list, text: t.endpoints.title }]} />
      <EndpointForm
        submit={t.endpointForm.create}
        cancelHref={list}
        busy={action.busy}
        failure={action.failure}
        onSubmit={(values) =>
          action.run(async () => {
            setCreated(await createEndpoint(client, creationOf(values)));
            announce(t.endpointForm.created);
          })
        }
      />
      {created && (
        <EndpointSecretDialog
          secret={created.secret}
          onClose={() => goTo({ view: 'endpoint', endpointId: created.endpoint_id, status: '' })}
        />
      )}
    </>
  );
}

export function EditEndpointView({ endpointId }: { readonly endpointId: string }) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const loaded = useLoad(endpointId, (signal) => getEndpoint(client, endpointId, signal));
  const { data: endpoint } = loaded;
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
      <LoadedBody loaded={loaded}>
        {(endpoint) => (
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
      </LoadedBody>
    </>
  );
}
