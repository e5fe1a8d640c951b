import type { CarrierConnection } from '@parcelway/contracts/carrier-connection-api';
import { type ApiFailure, faultsAt } from '@parcelway/page/api/failure';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Field } from '../../parts/field.tsx';
import {
  type ConnectionValues,
  credentialNames,
  isOptional,
  limitNames,
  type Source,
  sourceNames,
  valuesOfConnection,
  vendorName,
} from './connection-values.ts';

/** What the dialog needs. */
export interface ConnectionDialogProps {
  /** Undefined for a new one. */
  readonly connection?: CarrierConnection;
  readonly onSubmit: (values: ConnectionValues) => Promise<void>;
  readonly onClose: () => void;
}

interface PartProps {
  readonly values: ConnectionValues;
  readonly failure: ApiFailure | undefined;
  readonly change: (part: Partial<ConnectionValues>) => void;
}

/** Fields of the body that have a place in the dialog. */
const FIELDS = ['source', 'carriers', 'credentials', 'limits'];

/** Keys and secrets of the account. Those that are stored are not shown: an empty field keeps them. */
function Credentials({ values, failure, change, stored }: PartProps & { readonly stored: readonly string[] }) {
  const { t } = useWords();
  const { source, credentials, removed } = values;
  return (
    <>
      {credentialNames(source, stored).map((name) => (
        <div key={name}>
          <Field
            label={t.connections.credentialLabels[name] ?? name}
            hint={stored.includes(name) ? t.connections.keptHint : undefined}
            optional={isOptional(source, name) ? t.common.optional : undefined}
            faults={faultsAt(failure, `credentials.${name}`)}
          >
            {(ids) => (
              <input
                {...ids}
                type="password"
                autocomplete="off"
                spellcheck={false}
                value={credentials[name] ?? ''}
                onInput={(event) => change({ credentials: { ...credentials, [name]: event.currentTarget.value } })}
              />
            )}
          </Field>
          {stored.includes(name) && isOptional(source, name) && (
            <label class="check">
              <input
                type="checkbox"
                checked={removed.includes(name)}
                onChange={(event) =>
                  change({ removed: event.currentTarget.checked ? [...removed, name] : removed.filter((each) => each !== name) })
                }
              />
              {t.common.remove(t.connections.credentialLabels[name] ?? name)}
            </label>
          )}
        </div>
      ))}
    </>
  );
}

function Limits({ values, failure, change }: PartProps) {
  const { t } = useWords();
  return (
    <details open={faultsAt(failure, 'limits').length > 0}>
      <summary>{t.connections.limits}</summary>
      {limitNames.map((name) => (
        <Field key={name} label={t.connections.limitNames[name]} optional={t.common.optional} faults={faultsAt(failure, `limits.${name}`)}>
          {(ids) => (
            <input
              {...ids}
              inputMode="decimal"
              value={values.limits[name]}
              onInput={(event) => change({ limits: { ...values.limits, [name]: event.currentTarget.value } })}
            />
          )}
        </Field>
      ))}
      <p class="hint">{t.connections.limitsHint}</p>
    </details>
  );
}

/** All that can be set of a connection. */
export function ConnectionDialog({ connection, onSubmit, onClose }: ConnectionDialogProps) {
  const { t } = useWords();
  const action = useAction();
  const [values, setValues] = useState(() => valuesOfConnection(connection));
  const change = (part: Partial<ConnectionValues>): void => setValues((before) => ({ ...before, ...part }));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [action.failure]);
  const part = { values, failure: action.failure, change };
  return (
    <Dialog
      title={connection === undefined ? t.connections.create : t.connections.changeTitle(vendorName(connection.source))}
      onClose={onClose}
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          action.run(() => onSubmit(values));
        }}
      >
        {connection === undefined && (
          <Field label={t.connections.source} faults={faultsAt(action.failure, 'source')}>
            {(ids) => (
              <select
                {...ids}
                value={values.source}
                onChange={(event) => change({ source: event.currentTarget.value as Source, credentials: {} })}
              >
                {sourceNames.map((name) => (
                  <option key={name} value={name}>
                    {vendorName(name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label={t.connections.carriers} hint={t.connections.carriersHint} faults={faultsAt(action.failure, 'carriers')}>
          {(ids) => (
            <input
              {...ids}
              required
              spellcheck={false}
              value={values.carriers}
              onInput={(event) => change({ carriers: event.currentTarget.value })}
            />
          )}
        </Field>
        <Credentials {...part} stored={connection?.credential_names ?? []} />
        <Limits {...part} />
        <FailureNotice failure={action.failure} shownAtFields={FIELDS} />
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={action.busy}>
            {action.busy ? t.common.working : connection === undefined ? t.connections.connect : t.common.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
