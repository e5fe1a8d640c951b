import type {
  EndpointChange,
  EndpointCreation,
  EndpointPayload,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '@parcelway/contracts/webhook-endpoint-api';
import { tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { pathOf } from '@parcelway/page/api/client';
import { faultsAt } from '@parcelway/page/api/failure';
import { type Action, useAction } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { LoadedBody, PageHeading, SecretDialog } from '@parcelway/page/parts/view';
import { useState } from 'preact/hooks';
import { ENDPOINT, ENDPOINTS, preselectedTypes } from '../../api/webhooks.ts';
import { changeIn, creationIn, valuesIn } from '../../data/body.ts';
import { useValues } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { bound, Checks, Form, SelectField, TextField } from '../../parts/forms.tsx';
import { hrefOf, type Route } from '../../routing/route.ts';
import { goTo, useUnsaved } from '../../routing/use-route.ts';
import { useClient, useGet } from '../../session/session.tsx';
import { type EndpointValues, endpointFields, filterOf } from './endpoint-values.ts';
import { HeaderFields, PairFields } from './pair-fields.tsx';

interface EndpointFormProps {
  /** Undefined for a new one. */
  readonly endpoint?: WebhookEndpoint;
  readonly submit: string;
  readonly cancelHref: string;
  readonly action: Action;
  readonly onSubmit: (values: EndpointValues) => void;
}

function Limits({ values, field }: { readonly values: EndpointValues; readonly field: ReturnType<typeof bound<EndpointValues>> }) {
  const { t } = useWords();
  return (
    <>
      <SelectField<EndpointPayload>
        {...field('payload')}
        label={t.endpoint.payload}
        hint={t.endpointForm.payloadHint}
        options={t.endpoint.payloads}
      />
      <TextField {...field('filter')} label={t.endpoint.filter} hint={t.endpointForm.filterHint} optional={t.common.optional} rows={4} />
      {filterOf(values.filter) === undefined && (
        <p class="fault" role="alert">
          {t.endpointForm.filterBad}
        </p>
      )}
      <TextField
        {...field('rate_limit')}
        label={t.endpoint.rateLimit}
        hint={t.endpointForm.rateHint}
        optional={t.common.optional}
        type="number"
        min="1"
        max="1000"
        step="1"
      />
    </>
  );
}

function EndpointForm({ endpoint, submit, cancelHref, action, onSubmit }: EndpointFormProps) {
  const { t } = useWords();
  const { failure } = action;
  const [start] = useState(() => valuesIn(endpointFields, endpoint ?? { event_types: preselectedTypes }));
  const [values, change] = useValues(start);
  useUnsaved(JSON.stringify(values) !== JSON.stringify(start));
  const field = bound(values, change, failure);
  const good = values.event_types.length > 0 && filterOf(values.filter) !== undefined;
  return (
    <Form
      submit={submit}
      cancelHref={cancelHref}
      action={action}
      isDisabled={!good}
      shownAtFields={Object.keys(endpointFields)}
      onSubmit={() => good && onSubmit(values)}
    >
      <TextField {...field('url')} label={t.endpoints.url} hint={t.endpointForm.urlHint} type="url" required maxLength={2048} />
      <TextField
        {...field('description')}
        label={t.endpoint.description}
        hint={t.endpointForm.descriptionHint}
        optional={t.common.optional}
        maxLength={500}
      />
      <Checks
        legend={t.endpointForm.events}
        options={tenantEventTypes.map((type) => [type, <span class="faint">{t.endpointForm.types[type]}</span>])}
        chosen={values.event_types}
        faults={faultsAt(failure, 'event_types')}
        onChange={(event_types) => change({ event_types })}
      >
        {values.event_types.length === 0 && (
          <p class="fault" role="alert">
            {t.endpointForm.atLeastOne}
          </p>
        )}
      </Checks>
      <Limits values={values} field={field} />
      <HeaderFields
        headers={values.headers}
        hidden={Object.keys(endpoint?.headers ?? {})}
        faults={faultsAt(failure, 'headers')}
        onChange={(headers) => change({ headers })}
      />
      <PairFields
        label={t.endpoint.metadata}
        hint={t.endpointForm.metadataHint}
        add={t.endpointForm.addMetadata}
        pairs={values.metadata}
        faults={faultsAt(failure, 'metadata')}
        onChange={(metadata) => change({ metadata })}
      />
    </Form>
  );
}

export function CreateEndpointView() {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const [created, setCreated] = useState<WebhookEndpointWithSecret>();
  const list = hrefOf({ view: 'endpoints' });
  return (
    <>
      <PageHeading title={t.endpoints.create} crumbs={[{ href: list, text: t.endpoints.title }]} />
      <EndpointForm
        submit={t.endpointForm.create}
        cancelHref={list}
        action={action}
        onSubmit={(values) =>
          action.run(async () => {
            setCreated(await client.call(ENDPOINTS, { method: 'POST', body: creationIn<EndpointCreation>(endpointFields, values) }));
            announce(t.endpointForm.created);
          })
        }
      />
      {created && (
        <SecretDialog
          title={t.secret.title}
          once={t.secret.once}
          what={t.secret.label}
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
  const loaded = useGet<WebhookEndpoint>(pathOf(ENDPOINT, endpointId));
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
            action={action}
            onSubmit={(values) =>
              action.run(async () => {
                const body = changeIn<EndpointChange>(endpointFields, values, endpoint);
                if (Object.keys(body).length > 0) await client.call(pathOf(ENDPOINT, endpointId), { method: 'PATCH', body });
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
