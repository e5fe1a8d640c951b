import type { EndpointPayload, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { type ApiFailure, type FieldFault, faultsAt } from '@parcelway/page/api/failure';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { preselectedTypes, subscribableTypes } from '../../api/event-types.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice, Faults, Field, useOpenFaults } from '../../parts/forms.tsx';
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

const FIELDS = ['url', 'description', 'event_types', 'filter', 'rate_limit', 'payload', 'headers', 'metadata'] as const;

interface PartProps {
  readonly values: EndpointValues;
  readonly faultsOf: (field: (typeof FIELDS)[number]) => readonly FieldFault[];
  readonly change: (part: Partial<EndpointValues>) => void;
}

function Basics({ values, faultsOf, change }: PartProps) {
  const { t } = useWords();
  return (
    <>
      <Field label={t.endpoints.url} hint={t.endpointForm.urlHint} faults={faultsOf('url')}>
        {(ids) => (
          <input
            {...ids}
            type="url"
            required
            maxLength={2048}
            value={values.url}
            onInput={(event) => change({ url: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label={t.endpoint.description}
        hint={t.endpointForm.descriptionHint}
        optional={t.common.optional}
        faults={faultsOf('description')}
      >
        {(ids) => (
          <input
            {...ids}
            maxLength={500}
            value={values.description}
            onInput={(event) => change({ description: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}

function EventTypes({ values, faultsOf, change }: PartProps) {
  const { t } = useWords();
  const faultsId = useId();
  const [faults, close] = useOpenFaults(faultsOf('event_types'));
  const { eventTypes } = values;
  return (
    <fieldset onChange={close}>
      <legend>{t.endpointForm.events}</legend>
      {subscribableTypes.map((type) => (
        <label key={type} class="check">
          <input
            type="checkbox"
            {...(faults.length > 0 ? { 'aria-invalid': true, 'aria-describedby': faultsId } : {})}
            checked={eventTypes.includes(type)}
            onChange={(event) =>
              change({ eventTypes: event.currentTarget.checked ? [...eventTypes, type] : eventTypes.filter((each) => each !== type) })
            }
          />
          <span>
            <code>{type}</code> <span class="faint">{t.endpointForm.types[type]}</span>
          </span>
        </label>
      ))}
      <Faults id={faultsId} faults={faults} />
      {eventTypes.length === 0 && (
        <p class="fault" role="alert">
          {t.endpointForm.atLeastOne}
        </p>
      )}
    </fieldset>
  );
}

function Payload({ values, faultsOf, change }: PartProps) {
  const { t } = useWords();
  return (
    <Field label={t.endpoint.payload} hint={t.endpointForm.payloadHint} faults={faultsOf('payload')}>
      {(ids) => (
        <select {...ids} value={values.payload} onChange={(event) => change({ payload: event.currentTarget.value as EndpointPayload })}>
          {Object.entries(t.endpoint.payloads).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Limits({ values, faultsOf, change }: PartProps) {
  const { t } = useWords();
  return (
    <>
      <Field label={t.endpoint.filter} hint={t.endpointForm.filterHint} optional={t.common.optional} faults={faultsOf('filter')}>
        {(ids) => (
          <textarea
            {...ids}
            rows={4}
            spellcheck={false}
            value={values.filter}
            onInput={(event) => change({ filter: event.currentTarget.value })}
          />
        )}
      </Field>
      {filterOf(values.filter) === undefined && (
        <p class="fault" role="alert">
          {t.endpointForm.filterBad}
        </p>
      )}
      <Field label={t.endpoint.rateLimit} hint={t.endpointForm.rateHint} optional={t.common.optional} faults={faultsOf('rate_limit')}>
        {(ids) => (
          <input
            {...ids}
            type="number"
            min="1"
            max="1000"
            step="1"
            value={values.rateLimit}
            onInput={(event) => change({ rateLimit: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}

export function EndpointForm({ endpoint, submit, cancelHref, busy, failure, onSubmit }: EndpointFormProps) {
  const { t } = useWords();
  const [start] = useState(() => valuesOf(endpoint, preselectedTypes));
  const [values, setValues] = useState(start);
  useUnsaved(JSON.stringify(values) !== JSON.stringify(start));
  const change = (part: Partial<EndpointValues>): void => setValues((before) => ({ ...before, ...part }));
  const faultsOf = (field: string): readonly FieldFault[] => faultsAt(failure, field);
  const form = useRef<HTMLFormElement>(null);
  // The first field with a fault comes into view, and takes what is typed next.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [failure]);
  const good = values.eventTypes.length > 0 && filterOf(values.filter) !== undefined;
  return (
    <form
      ref={form}
      class="card form"
      onSubmit={(event) => {
        event.preventDefault();
        if (good) onSubmit(values);
      }}
    >
      <Basics values={values} faultsOf={faultsOf} change={change} />
      <EventTypes values={values} faultsOf={faultsOf} change={change} />
      <Payload values={values} faultsOf={faultsOf} change={change} />
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
      <FailureNotice failure={failure} shownAtFields={FIELDS} />
      <div class="form-actions">
        <button type="submit" class="primary" aria-disabled={busy || !good}>
          {busy ? t.common.working : submit}
        </button>
        <a class="button" href={cancelHref}>
          {t.common.cancel}
        </a>
      </div>
    </form>
  );
}
