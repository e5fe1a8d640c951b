import type { TenantKey } from '@parcelway/contracts/key-api';
import { useWords } from '../../messages/language.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { nameOf } from './key-relations.ts';

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
          cell: ({ key_id, description, prefix }) => (
            <div id={placeOf(key_id)} tabIndex={-1}>
              {description !== '' && `${description} `}
              {key_id === ownId && <span class="tag">{t.keys.own}</span>}
              <span class="under">
                <code>{prefix}…</code>
              </span>
            </div>
          ),
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
