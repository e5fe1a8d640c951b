import type { TenantKey } from '@parcelway/contracts/key-api';
import { absoluteTime } from '../../format/time.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { nameOf, signOf } from './key-relations.ts';

/** What can be done with a key. */
export type KeyDeed = 'change' | 'rotate' | 'revoke';

/** What the table needs. */
export interface KeyTableProps {
  readonly keys: readonly TenantKey[];
  /** `key_id` of the key that this page is signed in with. */
  readonly ownId: string | undefined;
  readonly onDeed: (deed: KeyDeed, key: TenantKey) => void;
}

/** Id of the element in the row of a key that can take the focus. */
export const placeOf = (keyId: string): string => `row-of-${keyId}`;

const TONES: Readonly<Record<string, Tone>> = { active: 'good', revoked: 'quiet', expired: 'quiet' };

/** What can be done with a key that works. */
function Deeds({ subject, onDeed }: { readonly subject: TenantKey; readonly onDeed: KeyTableProps['onDeed'] }) {
  const { t } = useWords();
  if (subject.state !== 'active') return '–';
  const deeds = [
    ['change', t.keys.change],
    ...(subject.rotated_to === null ? ([['rotate', t.keys.rotate]] as const) : []),
    ['revoke', t.keys.revoke],
  ] as const;
  return (
    <span class="links">
      {deeds.map(([deed, name]) => (
        <button
          key={deed}
          type="button"
          class={deed === 'revoke' ? 'danger-quiet' : undefined}
          aria-label={`${name}: ${nameOf(subject)}`}
          onClick={() => onDeed(deed, subject)}
        >
          {name}
        </button>
      ))}
    </span>
  );
}

/** What the first cell of a row needs. */
interface NamedKeyProps {
  readonly subject: TenantKey;
  readonly keys: readonly TenantKey[];
  readonly isOwn: boolean;
}

/** Which key it is, what it replaces, and what replaces it; on a narrow page also what has no column there. */
function NamedKey({ subject, keys, isOwn }: NamedKeyProps) {
  const { t, locale } = useWords();
  const { key_id, description, prefix, state, expires_at, last_used_at, rotated_from, rotated_to } = subject;
  const end = expires_at === null ? undefined : absoluteTime(Date.parse(expires_at), locale);
  const successor = rotated_to === null ? undefined : signOf(rotated_to, keys);
  return (
    <div id={placeOf(key_id)} tabIndex={-1}>
      {description !== '' && `${description} `}
      {isOwn && <span class="tag">{t.keys.own}</span>}
      <span class="under">
        <code>{prefix}…</code>
      </span>
      {successor !== undefined && (
        <span class="under">
          {state === 'active' && end !== undefined ? t.keys.replacedUntil(successor, end) : t.keys.replacedBy(successor)}
        </span>
      )}
      {rotated_from !== null && <span class="under">{t.keys.replaces(signOf(rotated_from, keys))}</span>}
      {expires_at !== null && successor === undefined && (
        <span class="under narrow">
          {t.keys.expires}: <Time at={expires_at} />
        </span>
      )}
      <span class="under narrow">
        {t.keys.lastUsed}: {last_used_at === null ? t.keys.never : <Time at={last_used_at} />}
      </span>
    </div>
  );
}

/** The keys of the merchant, those too that work no more. */
export function KeyTable({ keys, ownId, onDeed }: KeyTableProps) {
  const { t } = useWords();
  return (
    <Table
      caption={t.keys.title}
      items={keys}
      idOf={({ key_id }) => key_id}
      columns={[
        {
          head: t.keys.description,
          cell: (key) => <NamedKey subject={key} keys={keys} isOwn={key.key_id === ownId} />,
        },
        { head: t.common.status, cell: ({ state }) => <Badge tone={TONES[state] ?? 'quiet'}>{t.keys.states[state] ?? state}</Badge> },
        {
          head: t.keys.scopes,
          kind: 'wide',
          cell: ({ scopes }) => (
            <span class="stack">
              {scopes.map((scope) => (
                <code key={scope}>{scope}</code>
              ))}
            </span>
          ),
        },
        { head: t.keys.expires, kind: 'wide', cell: ({ expires_at }) => (expires_at === null ? t.keys.never : <Time at={expires_at} />) },
        {
          head: t.keys.lastUsed,
          kind: 'wide',
          cell: ({ last_used_at }) => (last_used_at === null ? t.keys.never : <Time at={last_used_at} />),
        },
        { head: t.keys.actions, cell: (key) => <Deeds subject={key} onDeed={onDeed} /> },
      ]}
    />
  );
}
