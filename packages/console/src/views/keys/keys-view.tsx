import type { KeyChange, KeyCreated, KeyCreation, KeyRotated, TenantKey } from '@parcelway/contracts/key-api';
import { pathOf, RequestKeys } from '@parcelway/page/api/client';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Badge, Button, PageHeading, SecretDialog, type Tone } from '@parcelway/page/parts/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { KEYS, listKeys } from '../../api/account.ts';
import { changeIn, creationIn } from '../../data/body.ts';
import { usePages } from '../../data/hooks.ts';
import { absoluteTime } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { Empty, ListTable } from '../../parts/lists.tsx';
import { Time } from '../../parts/values.tsx';
import { KeyPrompt } from '../../session/notices.tsx';
import { useClient, usePermissions, useSession } from '../../session/session.tsx';
import { KeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx';
import { type KeyValues, keyFields, nameOf, offeredScopes, signOf } from './key-values.ts';

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

interface Open {
  readonly action: KeyAction;
  readonly key: TenantKey;
}

interface Shown {
  /** `key_id` of it. */
  readonly id: string;
  readonly value: string;
  readonly note?: string;
}

interface DialogsProps {
  readonly open: Open | 'create' | undefined;
  readonly keys: readonly TenantKey[];
  /** True when there are keys that are not loaded. */
  readonly hasMore: boolean;
  readonly onClose: () => void;
  readonly onShown: (shown: Shown) => void;
}

function Dialogs({ open, keys, hasMore, onClose, onShown }: DialogsProps) {
  const { t, locale } = useWords();
  const announce = useAnnounce();
  const { access, keyClient } = useSession();
  const requests = useRef(new RequestKeys());
  const own = access?.key.scopes ?? [];
  if (open === undefined) return null;
  if (open !== 'create' && open.action === 'revoke')
    return <RevokeKeyDialog subject={open.key} keys={keys} hasMore={hasMore} onClose={onClose} />;
  if (keyClient === undefined) return <KeyPrompt text={t.session.forKeys} onClose={onClose} />;
  if (open === 'create') {
    const create = async (values: KeyValues): Promise<void> => {
      const body = creationIn<KeyCreation>(keyFields, values);
      const created = await requests.current.send(JSON.stringify(body), (idempotencyKey) =>
        keyClient.call<KeyCreated>(KEYS, { method: 'POST', body, idempotencyKey }),
      );
      onShown({ id: created.key_id, value: created.key });
    };
    return (
      <KeyDialog title={t.keys.create} submit={t.keys.create} offered={offeredScopes(own, undefined)} onSubmit={create} onClose={onClose} />
    );
  }
  const { action, key } = open;
  const done = (text: string): void => {
    announce(text);
    onClose();
  };
  if (action === 'change') {
    const change = async (values: KeyValues): Promise<void> => {
      const body = changeIn<KeyChange>(keyFields, values, key);
      if (Object.keys(body).length > 0) await keyClient.call(pathOf(`${KEYS}/{key_id}`, key.key_id), { method: 'PATCH', body });
      done(t.common.saved);
    };
    return (
      <KeyDialog
        title={t.keys.changeTitle(nameOf(key))}
        submit={t.common.save}
        subject={key}
        offered={offeredScopes(own, key.scopes)}
        onSubmit={change}
        onClose={onClose}
      />
    );
  }
  const rotate = async (overlap_seconds: number): Promise<void> => {
    const rotated = await requests.current.send(`${key.key_id} ${overlap_seconds}`, (idempotencyKey) =>
      keyClient.call<KeyRotated>(pathOf(`${KEYS}/{key_id}/rotate`, key.key_id), {
        method: 'POST',
        body: { overlap_seconds },
        idempotencyKey,
      }),
    );
    const sign = `${key.prefix}…`;
    const end = absoluteTime(Date.parse(rotated.former_expires_at), locale);
    onShown({
      id: rotated.key_id,
      value: rotated.key,
      note: overlap_seconds === 0 ? t.keys.formerEnded(sign) : t.keys.formerUntil(sign, end),
    });
  };
  return <RotateKeyDialog isOwn={key.key_id === access?.key.key_id} onRotate={rotate} onClose={onClose} />;
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
  const client = useClient();
  const { access } = useSession();
  const { can } = usePermissions();
  const [open, setOpen] = useState<Open | 'create'>();
  const [shown, setShown] = useState<Shown>();
  const [arrived, setArrived] = useState<string>();
  const [note, setNote] = useState<string>();
  const pages = usePages('keys', (at) => listKeys(client, at), 'key_id');
  useFocusOn(arrived, pages.loading, () => setArrived(undefined));
  const close = (): void => {
    setOpen(undefined);
    pages.refresh();
  };
  const ask = (asked: Open | 'create'): void => {
    setNote(undefined);
    setOpen(asked);
  };
  return (
    <>
      <PageHeading
        title={t.keys.title}
        actions={can('keys:manage') && <Button class="primary" onClick={() => ask('create')} text={t.keys.create} />}
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
          { head: t.common.actions, cell: (subject) => <KeyActions subject={subject} onAction={(action, key) => ask({ action, key })} /> },
        ]}
      />
      <Dialogs
        open={open}
        keys={pages.items ?? []}
        hasMore={pages.more !== undefined}
        onClose={close}
        onShown={(value) => {
          close();
          setShown(value);
        }}
      />
      {shown && (
        <SecretDialog
          title={t.keys.shownTitle}
          once={t.keys.once}
          secret={shown.value}
          what={t.signIn.key}
          note={shown.note}
          onClose={() => {
            setShown(undefined);
            setArrived(shown.id);
            setNote(shown.note);
          }}
        />
      )}
    </>
  );
}
