import type { TenantKey } from '@parcelway/contracts/key-api';
import { pathOf } from '@parcelway/page/api/client';
import { faultsAt } from '@parcelway/page/api/failure';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { FormDialog } from '@parcelway/page/parts/form-dialog';
import { useState } from 'preact/hooks';
import { KEYS } from '../../api/account.ts';
import { valuesIn } from '../../data/body.ts';
import { useValues } from '../../data/hooks.ts';
import { absoluteTime } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { bound, Checks, SelectField, TextField } from '../../parts/forms.tsx';
import { useClient, useSession } from '../../session/session.tsx';
import { type KeyValues, keyFields, nameOf, othersThatWork, overlaps, type TenantScope, unknownFormer } from './key-values.ts';

interface KeyDialogProps {
  readonly title: string;
  readonly submit: string;
  /** Undefined for a new one. */
  readonly subject?: TenantKey;
  readonly offered: readonly TenantScope[];
  readonly onSubmit: (values: KeyValues) => Promise<void>;
  readonly onClose: () => void;
}

export function KeyDialog({ title, submit, subject, offered, onSubmit, onClose }: KeyDialogProps) {
  const { t } = useWords();
  const [values, change] = useValues(() => valuesIn(keyFields, subject));
  return (
    <FormDialog
      title={title}
      submit={submit}
      noValidate
      shownAtFields={Object.keys(keyFields)}
      onSubmit={() => onSubmit(values)}
      onClose={onClose}
    >
      {(failure) => {
        const field = bound(values, change, failure);
        return (
          <>
            <TextField {...field('description')} label={t.keys.description} hint={t.keys.descriptionHint} required maxLength={100} />
            <Checks
              legend={t.keys.scopes}
              options={offered.map((scope) => [scope, t.keys.scopeMeanings[scope]])}
              chosen={values.scopes}
              faults={faultsAt(failure, 'scopes')}
              onChange={(scopes) => change({ scopes })}
            />
            <TextField
              {...field('expires_at')}
              label={t.keys.expires}
              hint={t.keys.expiresHint}
              optional={t.common.optional}
              type="datetime-local"
            />
            <TextField
              {...field('allowed_addresses')}
              label={t.keys.addresses}
              hint={t.keys.addressesHint}
              optional={t.common.optional}
              rows={3}
            />
          </>
        );
      }}
    </FormDialog>
  );
}

interface RevokeKeyDialogProps {
  readonly subject: TenantKey;
  readonly keys: readonly TenantKey[];
  /** True when there are keys that are not loaded. */
  readonly hasMore: boolean;
  readonly onClose: () => void;
}

/** Asks before a key is revoked. That takes a session alone: it only ends what is there. */
export function RevokeKeyDialog({ subject, keys, hasMore, onClose }: RevokeKeyDialogProps) {
  const { t, locale } = useWords();
  const others = othersThatWork(subject, keys);
  const unknown = hasMore ? unknownFormer(subject, keys) : undefined;
  const client = useClient();
  const announce = useAnnounce();
  const { access } = useSession();
  const revoke = async (): Promise<void> => {
    await client.call(pathOf(`${KEYS}/{key_id}/revoke`, subject.key_id), { method: 'POST' });
    announce(t.keys.revoked);
    onClose();
  };
  return (
    <FormDialog
      isQuestion
      title={t.keys.revokeTitle(nameOf(subject))}
      text={subject.key_id === access?.key.key_id ? `${t.keys.revokeText} ${t.keys.revokeOwn}` : t.keys.revokeText}
      submit={t.keys.revoke}
      danger
      onSubmit={revoke}
      onClose={onClose}
    >
      <p>
        {subject.description} <code>{subject.prefix}…</code>
      </p>
      {/* Somebody who ends one key may mean the others of its rotation, too. */}
      {(others.length > 0 || unknown !== undefined) && (
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
      )}
    </FormDialog>
  );
}

interface RotateKeyDialogProps {
  readonly isOwn: boolean;
  /** @param overlapSeconds for which the former key still works */
  readonly onRotate: (overlapSeconds: number) => Promise<void>;
  readonly onClose: () => void;
}

export function RotateKeyDialog({ isOwn, onRotate, onClose }: RotateKeyDialogProps) {
  const { t } = useWords();
  const [overlap, setOverlap] = useState<number>(overlaps[0]);
  return (
    <FormDialog
      isQuestion
      title={t.keys.rotateTitle}
      text={isOwn ? `${t.keys.rotateText} ${t.keys.rotateOwn}` : t.keys.rotateText}
      submit={t.keys.rotate}
      danger={overlap === 0}
      onSubmit={() => onRotate(overlap)}
      onClose={onClose}
    >
      <SelectField
        label={t.keys.overlap}
        value={String(overlap)}
        options={overlaps.map((seconds) => [String(seconds), t.keys.overlaps[seconds] ?? ''])}
        onValue={(seconds) => setOverlap(Number(seconds))}
      />
    </FormDialog>
  );
}
