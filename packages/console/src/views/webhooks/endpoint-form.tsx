import type { EndpointPayload, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { type ApiFailure, type FieldFault, faultsAt } from '@parcelway/page/api/failure';
import { useState } from 'preact/hooks';
import { preselectedTypes, subscribableTypes } from '../../api/event-types.ts';
import { useValues } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { Checks, Form, SelectField, TextField } from '../../parts/forms.tsx';
import { useUnsaved } from '../../routing/use-route.ts';
import { type EndpointValues, filterOf, valuesOf } from './endpoint-values.ts';
import { HeaderFields, PairFields } from './pair-fields.tsx';

export interface EndpointFormProps {
  readonly endpoint?: WebhookEndpoint;
  readonly submit: string;
  readonly cancelHref: string;
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  readonly onSubmit: (values: EndpointValues) => void;
}

const FIELDS = ['url', 'description', 'event_types', 'filter', 'rate_limit', 'payload', 'headers', 'metadata'] as const;

interface LimitsProps {
  readonly values: EndpointValues;
  readonly faultsOf: (field: (typeof FIELDS)[number]) => readonly FieldFault[];
  readonly change: (part: Partial<EndpointValues>) => void;
}

function Limits({ values, faultsOf, change }: LimitsProps) {
  const { t } = useWords();
  return (
    <>
      <SelectField<EndpointPayload>
        label={t.endpoint.payload}
        hint={t.endpointForm.payloadHint}
        faults={faultsOf('payload')}
        value={values.payload}
        of={t.endpoint.payloads}
        onValue={(payload) => change({ payload })}
      />
      <TextField
        label={t.endpoint.filter}
        hint={t.endpointForm.filterHint}
        optional={t.common.optional}
        faults={faultsOf('filter')}
        rows={4}
        value={values.filter}
        onValue={(filter) => change({ filter })}
      />
      {filterOf(values.filter) === undefined && (
        <p class="fault" role="alert">
          {t.endpointForm.filterBad}
        </p>
      )}
      <TextField
        label={t.endpoint.rateLimit}
        hint={t.endpointForm.rateHint}
        optional={t.common.optional}
        faults={faultsOf('rate_limit')}
        type="number"
        min="1"
        max="1000"
        step="1"
        value={values.rateLimit}
        onValue={(rateLimit) => change({ rateLimit })}
      />
    </>
  );
}

export function EndpointForm({ endpoint, submit, cancelHref, busy, failure, onSubmit }: EndpointFormProps) {
  const { t } = useWords();
  const [start] = useState(() => valuesOf(endpoint, preselectedTypes));
  const [values, change] = useValues(start);
  useUnsaved(JSON.stringify(values) !== JSON.stringify(start));
  const faultsOf = (field: (typeof FIELDS)[number]): readonly FieldFault[] => faultsAt(failure, field);
  const good = values.eventTypes.length > 0 && filterOf(values.filter) !== undefined;
  return (
    <Form
      submit={submit}
      cancelHref={cancelHref}
      busy={busy}
      isOff={!good}
      failure={failure}
      shownAtFields={FIELDS}
      onSubmit={() => good && onSubmit(values)}
    >
      <TextField
        label={t.endpoints.url}
        hint={t.endpointForm.urlHint}
        faults={faultsOf('url')}
        type="url"
        required
        maxLength={2048}
        value={values.url}
        onValue={(url) => change({ url })}
      />
      <TextField
        label={t.endpoint.description}
        hint={t.endpointForm.descriptionHint}
        optional={t.common.optional}
        faults={faultsOf('description')}
        maxLength={500}
        value={values.description}
        onValue={(description) => change({ description })}
      />
      <Checks
        legend={t.endpointForm.events}
        of={subscribableTypes.map((type) => [type, <span class="faint">{t.endpointForm.types[type]}</span>])}
        chosen={values.eventTypes}
        faults={faultsOf('event_types')}
        onChange={(eventTypes) => change({ eventTypes })}
      >
        {values.eventTypes.length === 0 && (
          <p class="fault" role="alert">
            {t.endpointForm.atLeastOne}
          </p>
        )}
      </Checks>
      <Limits values={values} faultsOf={faultsOf} change={change} />
      <HeaderFields
        headers={values.headers}
        hidden={Object.keys(endpoint?.headers ?? {})}
        faults={faultsOf('headers')}
        onChange={(headers) => change({ headers })}
      />
      <PairFields
        label={t.endpoint.metadata}
        hint={t.endpointForm.metadataHint}
        add={t.endpointForm.addMetadata}
        pairs={values.metadata}
        faults={faultsOf('metadata')}
        onChange={(metadata) => change({ metadata })}
      />
    </Form>
  );
}
