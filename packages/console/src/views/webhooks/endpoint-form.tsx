import type { EndpointPayload, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { type ApiFailure, faultsAt } from '@parcelway/page/api/failure';
import { useState } from 'preact/hooks';
import { preselectedTypes } from '../../api/event-types.ts';
import { useValues } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { bound, Checks, Form, SelectField, TextField } from '../../parts/forms.tsx';
import { useUnsaved } from '../../routing/use-route.ts';
import { type EndpointValues, filterOf, valuesOf } from './endpoint-values.ts';
import { HeaderFields, PairFields } from './pair-fields.tsx';

export interface EndpointFormProps {
  /** Undefined for a new one. */
  readonly endpoint?: WebhookEndpoint;
  readonly submit: string;
  readonly cancelHref: string;
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  readonly onSubmit: (values: EndpointValues) => void;
}

const FIELDS = ['url', 'description', 'event_types', 'filter', 'rate_limit', 'payload', 'headers', 'metadata'];

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
        {...field('rateLimit', 'rate_limit')}
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

export function EndpointForm({ endpoint, submit, cancelHref, busy, failure, onSubmit }: EndpointFormProps) {
  const { t } = useWords();
  const [start] = useState(() => valuesOf(endpoint, preselectedTypes));
  const [values, change] = useValues(start);
  useUnsaved(JSON.stringify(values) !== JSON.stringify(start));
  const field = bound(values, change, failure);
  const good = values.eventTypes.length > 0 && filterOf(values.filter) !== undefined;
  return (
    <Form
      submit={submit}
      cancelHref={cancelHref}
      busy={busy}
      isDisabled={!good}
      failure={failure}
      shownAtFields={FIELDS}
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
        chosen={values.eventTypes}
        faults={faultsAt(failure, 'event_types')}
        onChange={(eventTypes) => change({ eventTypes })}
      >
        {values.eventTypes.length === 0 && (
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
