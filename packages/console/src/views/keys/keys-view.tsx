import type { TenantKey } from '@parcelway/contracts/key-api';
import { fill } from '@parcelway/page/languages';
import { type Question, useAsk } from '@parcelway/page/parts/form-dialog';
import { ListTable } from '@parcelway/page/parts/table';
import { Badge, Button, PageHeading, type Tone } from '@parcelway/page/parts/view';
import { useEffect, useState } from 'preact/hooks';
import { KEYS, KEYS_PER_PAGE } from '../../api/account.ts';
import { absoluteTime } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/lists.tsx';
import { Time } from '../../parts/values.tsx';
import { useList, usePermissions, useSession } from '../../session/session.tsx';
import { useKeyEnds, useKeyForms } from './key-questions.tsx';
import { nameOf, signOf } from './key-values.ts';

type KeyAction = 'change' | 'rotate' | 'revoke';

const placeOf = (keyId: string): string => `row-of-${keyId}`;
const TONES: Readonly<Record<string, Tone>> = { active: 'good', revoked: 'quiet', expired: 'quiet' };

function KeyActions({
  subject,
  onAction,
}: {
  readonly subject: TenantKey;
  readonly onAction: (action: KeyAction, key: TenantKey) => void;
}) {
  const { t } = useWords();
  if (subject.state !== 'active') return '–';
  const actions = [
    ['change', t.common.change],
    ...(subject.rotated_to === null ? ([['rotate', t.keys.rotate]] as const) : []),
    ['revoke', t.keys.revoke],
  ] as const;
  return (
    <span class="links">
      {actions.map(([action, name]) => (
        <Button
          key={action}
          class={action === 'revoke' ? 'danger-quiet' : undefined}
          aria-label={`${name}: ${nameOf(subject)}`}
          onClick={() => onAction(action, subject)}
          text={name}
        />
      ))}
    </span>
  );
}

/** Which key it is, what it replaces, and what replaces it; on a narrow page also what has no column there. */
function NamedKey({ subject, keys, isOwn }: { readonly subject: TenantKey; readonly keys: readonly TenantKey[]; readonly isOwn: boolean }) {
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
          {state === 'active' && end !== undefined ? fill(t.keys.replacedUntil, successor, end) : fill(t.keys.replacedBy, successor)}
        </span>
      )}
      {rotated_from !== null && <span class="under">{fill(t.keys.replaces, signOf(rotated_from, keys))}</span>}
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

/** Focuses the row of a new key once the list has it, else the heading: the button that opened the dialog may be gone. */
function useFocusOn(id: string | undefined, isLoading: boolean, onDone: () => void): void {
  useEffect(() => {
    if (id === undefined || isLoading) return;
    (document.getElementById(placeOf(id)) ?? document.querySelector<HTMLElement>('main h1'))?.focus();
    onDone();
  }, [id, isLoading]);
}

/** The keys of the merchant: made, changed, rotated, revoked. */
export function KeysView() {
  const { t } = useWords();
  const { access } = useSession();
  const { can } = usePermissions();
  const [dialog, ask] = useAsk();
  const [arrived, setArrived] = useState<string>();
  const [note, setNote] = useState<string>();
  const pages = useList<TenantKey>(KEYS, 'keys', { limit: KEYS_PER_PAGE }, 'key_id');
  useFocusOn(arrived, pages.loading, () => setArrived(undefined));
  const about = {
    keys: pages.items ?? [],
    hasMore: pages.more !== undefined,
    onChange: pages.refresh,
    onSeen(keyId: string, said: string | undefined) {
      setArrived(keyId);
      setNote(said);
    },
  };
  const questions = { ...useKeyForms(about), ...useKeyEnds(about) };
  const begin = (question: Question<object>): void => {
    setNote(undefined);
    ask(question);
  };
  return (
    <>
      <PageHeading
        title={t.keys.title}
        actions={can('keys:manage') && <Button class="primary" onClick={() => begin(questions.create())} text={t.keys.create} />}
      />
      <p class="lead">{t.keys.lead}</p>
      <div role="status">{note !== undefined && <p class="notice notice-good">{note}</p>}</div>
      <ListTable
        pages={pages}
        empty={<Empty title={t.keys.empty} />}
        caption={t.keys.title}
        columns={[
          {
            head: t.keys.description,
            cell: (key) => <NamedKey subject={key} keys={pages.items ?? []} isOwn={key.key_id === access?.key.key_id} />,
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
          {
            head: t.common.actions,
            cell: (subject) => <KeyActions subject={subject} onAction={(action, key) => begin(questions[action](key))} />,
          },
        ]}
      />
      {dialog}
    </>
  );
}
