import type { WebhookEndpointWithSecret } from '@parcelway/contracts/webhook-endpoint-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { createEndpoint } from '../../api/webhooks.ts';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { PageHeading } from '../../parts/page-heading.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { creationOf } from './endpoint-values.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** Registers an endpoint and shows its secret, this once. */
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
        <SecretDialog secret={created.secret} onClose={() => goTo({ view: 'endpoint', endpointId: created.endpoint_id, status: '' })} />
      )}
    </>
  );
}
