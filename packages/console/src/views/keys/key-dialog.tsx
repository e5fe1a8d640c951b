import type { TenantKey } from '@parcelway/contracts/key-api';
import { faultsAt } from '@parcelway/page/api/failure';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Faults, useOpenFaults } from '../../parts/faults.tsx';
import { Field } from '../../parts/field.tsx';
import { type KeyValues, type TenantScope, valuesOfKey } from './key-values.ts';

/** What the dialog needs. */
export interface KeyDialogProps {
  readonly title: string;
  readonly submit: string;
  /** Undefined for a new one. */
  readonly subject?: TenantKey;
  /** Scopes on offer. */
  readonly offered: readonly TenantScope[];
  readonly onSubmit: (values: KeyValues) => Promise<void>;
  readonly onClose: () => void;
}

/** Fields of the body that have a place in the dialog. */
const FIELDS = ['description', 'scopes', 'expires_at', 'allowed_addresses'];

/** All that can be set of a key. */
export function KeyDialog({ title, submit, subject, offered, onSubmit, onClose }: KeyDialogProps) {
  const { t } = useWords();
  const action = useAction();
  const [values, setValues] = useState(() => valuesOfKey(subject));
  const change = (part: Partial<KeyValues>): void => setValues((before) => ({ ...before, ...part }));
  const form = useRef<HTMLFormElement>(null);
  const faultsId = useId();
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [action.failure]);
  const [scopeFaults, closeScopeFaults] = useOpenFaults(faultsAt(action.failure, 'scopes'));
  const toggle = (scope: TenantScope, on: boolean): void =>
    change({ scopes: on ? [...values.scopes, scope] : values.scopes.filter((each) => each !== scope) });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          action.run(() => onSubmit(values));
        }}
      >
        <Field label={t.keys.description} hint={t.keys.descriptionHint} faults={faultsAt(action.failure, 'description')}>
          {(ids) => (
            <input
              {...ids}
              required
              maxLength={100}
              value={values.description}
              onInput={(event) => change({ description: event.currentTarget.value })}
            />
          )}
        </Field>
        <fieldset onChange={closeScopeFaults}>
          <legend>{t.keys.scopes}</legend>
          {offered.map((scope) => (
            <label key={scope} class="check">
              <input
                type="checkbox"
                {...(scopeFaults.length > 0 ? { 'aria-invalid': true, 'aria-describedby': faultsId } : {})}
                checked={values.scopes.includes(scope)}
                onChange={(event) => toggle(scope, event.currentTarget.checked)}
              />
              <span>
                <code>{scope}</code> {t.keys.scopeMeanings[scope]}
              </span>
            </label>
          ))}
          <Faults id={faultsId} faults={scopeFaults} />
        </fieldset>
        <Field
          label={t.keys.expires}
          hint={t.keys.expiresHint}
          optional={t.common.optional}
          faults={faultsAt(action.failure, 'expires_at')}
        >
          {(ids) => (
            <input
              {...ids}
              type="datetime-local"
              value={values.expiresAt}
              onInput={(event) => change({ expiresAt: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field
          label={t.keys.addresses}
          hint={t.keys.addressesHint}
          optional={t.common.optional}
          faults={faultsAt(action.failure, 'allowed_addresses')}
        >
          {(ids) => (
            <textarea
              {...ids}
              rows={3}
              spellcheck={false}
              value={values.addresses}
              onInput={(event) => change({ addresses: event.currentTarget.value })}
            />
          )}
        </Field>
        <FailureNotice failure={action.failure} shownAtFields={FIELDS} />
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={action.busy}>
            {action.busy ? t.common.working : submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
