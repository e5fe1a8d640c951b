import type { TenantKey } from '@parcelway/contracts/key-api';
import { RequestKeys } from '@parcelway/page/api/request-keys';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useEffect, useRef, useState } from 'preact/hooks';
import { createKey, listKeys, rotateKey, updateKey } from '../../api/keys.ts';
import { usePages } from '../../data/use-pages.ts';
import { absoluteTime } from '../../format/time.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/empty.tsx';
import { ListBody } from '../../parts/list-body.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { KeyPrompt } from '../../session/key-prompt.tsx';
import { useClient, usePermissions, useSession } from '../../session/session.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { nameOf } from './key-relations.ts';
import { type KeyDeed, KeyTable, placeOf } from './key-table.tsx';
import { changeOfKey, creationOfKey, type KeyValues, offeredScopes } from './key-values.ts';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { ShownKeyDialog } from './shown-key-dialog.tsx';

/** A dialog that is open, with the key that it is about. */
interface Open {
  readonly deed: KeyDeed;
  readonly key: TenantKey;
}

/** A key that is shown, this once. */
interface Shown {
  /** `key_id` of it. */
  readonly id: string;
  readonly value: string;
  /** What became of the key that it replaces. */
  readonly note?: string;
}

/** What the dialogs need. */
interface DialogsProps {
  readonly open: Open | 'create' | undefined;
  /** Keys that are loaded. */
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
  if (open !== 'create' && open.deed === 'revoke')
    return <RevokeKeyDialog subject={open.key} keys={keys} hasMore={hasMore} onClose={onClose} />;
  if (keyClient === undefined) return <KeyPrompt text={t.session.forKeys} onClose={onClose} />;
  if (open === 'create') {
    const create = async (values: KeyValues): Promise<void> => {
      const body = creationOfKey(values);
      const created = await requests.current.send(JSON.stringify(body), (request) => createKey(keyClient, body, request));
      onShown({ id: created.key_id, value: created.key });
    };
    return (
      <KeyDialog title={t.keys.create} submit={t.keys.create} offered={offeredScopes(own, undefined)} onSubmit={create} onClose={onClose} />
    );
  }
  const { deed, key } = open;
  const done = (text: string): void => {
    announce(text);
    onClose();
  };
  if (deed === 'change') {
    const change = async (values: KeyValues): Promise<void> => {
      const body = changeOfKey(values, key);
      if (Object.keys(body).length > 0) await updateKey(keyClient, key.key_id, body);
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
    const rotated = await requests.current.send(`${key.key_id} ${overlap_seconds}`, (request) =>
      rotateKey(keyClient, key.key_id, { overlap_seconds }, request),
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

/**
 * Gives the focus to the row of a new key once its dialog is closed and the list has it: what opened the dialog may be gone. Without the row, to the heading.
 * @param id `key_id`; undefined when there is none to go to
 */
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
  const pages = usePages(
    'keys',
    (cursor, signal) => listKeys(client, cursor, signal),
    ({ key_id }) => key_id,
  );
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
        actions={
          can('keys:manage') && (
            <button type="button" class="primary" onClick={() => ask('create')}>
              {t.keys.create}
            </button>
          )
        }
      />
      <p class="lead">{t.keys.lead}</p>
      <div role="status">{note !== undefined && <p class="notice notice-good">{note}</p>}</div>
      <ListBody pages={pages} empty={<Empty title={t.keys.empty} />}>
        {(keys) => <KeyTable keys={keys} ownId={access?.key.key_id} onDeed={(deed, key) => ask({ deed, key })} />}
      </ListBody>
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
        <ShownKeyDialog
          value={shown.value}
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
