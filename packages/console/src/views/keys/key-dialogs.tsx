import type { TenantKey } from '@parcelway/contracts/key-api';
import { faultsAt } from '@parcelway/page/api/failure';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { revokeKey } from '../../api/account.ts';
import { useAction } from '../../data/hooks.ts';
import { absoluteTime } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog, FailureNotice, Faults, Field, useOpenFaults } from '../../parts/forms.tsx';
import { CopyButton } from '../../parts/values.tsx';
import { useClient, useSession } from '../../session/session.tsx';
import { type KeyValues, nameOf, othersThatWork, overlaps, type TenantScope, unknownFormer, valuesOfKey } from './key-values.ts';

interface KeyDialogProps {
  readonly title: string;
  readonly submit: string;
  /** Undefined for a new one. */
  readonly subject?: TenantKey;
  readonly offered: readonly TenantScope[];
  readonly onSubmit: (values: KeyValues) => Promise<void>;
  readonly onClose: () => void;
}

const FIELDS = ['description', 'scopes', 'expires_at', 'allowed_addresses'];

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

interface RevokeKeyDialogProps {
  readonly subject: TenantKey;
  readonly keys: readonly TenantKey[];
  /** True when there are keys that are not loaded. */
  readonly hasMore: boolean;
  readonly onClose: () => void;
}

/** Names the keys of the same rotation that still work: somebody who ends one may mean both. */
function OthersThatWork({ subject, keys, hasMore }: Omit<RevokeKeyDialogProps, 'onClose'>) {
  const { t, locale } = useWords();
  const others = othersThatWork(subject, keys);
  const unknown = hasMore ? unknownFormer(subject, keys) : undefined;
  if (others.length === 0 && unknown === undefined) return null;
  return (
    <div class="notice">
      <p>{t.keys.othersWork}</p>
      <ul>
        {others.map(({ key_id, prefix, description, expires_at }) => (
          <li key={key_id}>
            {description} <code>{prefix}…</code> ·{' '}
            {expires_at === null ? t.keys.worksForever : t.keys.workUntil(absoluteTime(Date.parse(expires_at), locale))}
          </li>
        ))}
        {unknown !== undefined && (
          <li>
            <code class="id">{unknown}</code> · {t.keys.notLoaded}
          </li>
        )}
      </ul>
    </div>
  );
}

/** Asks before a key is revoked. That takes a session alone: it only ends what is there. */
export function RevokeKeyDialog({ subject, keys, hasMore, onClose }: RevokeKeyDialogProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const { access } = useSession();
  const revoke = async (): Promise<void> => {
    await revokeKey(client, subject.key_id);
    announce(t.keys.revoked);
    onClose();
  };
  return (
    <ConfirmDialog
      title={t.keys.revokeTitle(nameOf(subject))}
      text={subject.key_id === access?.key.key_id ? `${t.keys.revokeText} ${t.keys.revokeOwn}` : t.keys.revokeText}
      confirm={t.keys.revoke}
      danger
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        {subject.description} <code>{subject.prefix}…</code>
      </p>
      <OthersThatWork subject={subject} keys={keys} hasMore={hasMore} />
    </ConfirmDialog>
  );
}

interface RotateKeyDialogProps {
  /** True for the key that this page is signed in with. */
  readonly isOwn: boolean;
  /** @param overlapSeconds for which the former key still works */
  readonly onRotate: (overlapSeconds: number) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for how long the former key still works, and rotates it. */
export function RotateKeyDialog({ isOwn, onRotate, onClose }: RotateKeyDialogProps) {
  const { t } = useWords();
  const [overlap, setOverlap] = useState<number>(overlaps[0]);
  return (
    <ConfirmDialog
      title={t.keys.rotateTitle}
      text={isOwn ? `${t.keys.rotateText} ${t.keys.rotateOwn}` : t.keys.rotateText}
      confirm={t.keys.rotate}
      danger={overlap === 0}
      onConfirm={() => onRotate(overlap)}
      onClose={onClose}
    >
      <Field label={t.keys.overlap}>
        {(ids) => (
          <select {...ids} value={overlap} onChange={(event) => setOverlap(Number(event.currentTarget.value))}>
            {overlaps.map((seconds) => (
              <option key={seconds} value={seconds}>
                {t.keys.overlaps[seconds]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </ConfirmDialog>
  );
}

interface ShownKeyDialogProps {
  readonly value: string;
  readonly note?: string | undefined;
  readonly onClose: () => void;
}

/** Shows a new key, which nobody can show again. */
export function ShownKeyDialog({ value, note, onClose }: ShownKeyDialogProps) {
  const { t } = useWords();
  return (
    <Dialog title={t.keys.shownTitle} onClose={onClose} stays>
      <p>{t.keys.once}</p>
      <p class="secret">
        <code>{value}</code>
        <CopyButton text={value} what={t.keys.one} />
      </p>
      {note !== undefined && <p class="faint">{note}</p>}
      <div class="dialog-actions">
        <button type="button" class="primary" onClick={onClose}>
          {t.secret.done}
        </button>
      </div>
    </Dialog>
  );
}
