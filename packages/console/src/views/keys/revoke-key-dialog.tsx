import type { TenantKey } from '@parcelway/contracts/key-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { revokeKey } from '../../api/keys.ts';
import { absoluteTime } from '../../format/time.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useClient, useSession } from '../../session/session.tsx';
import { nameOf, othersThatWork, unknownFormer } from './key-relations.ts';

/** What the dialog needs. */
export interface RevokeKeyDialogProps {
  readonly subject: TenantKey;
  /** Keys that are loaded. */
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
