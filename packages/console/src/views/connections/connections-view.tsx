import type { CarrierConnection, ConnectionTest } from '@parcelway/contracts/carrier-connection-api';
import { RequestKeys } from '@parcelway/page/api/request-keys';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useRef, useState } from 'preact/hooks';
import { createConnection, deleteConnection, listConnections, testConnection, updateConnection } from '../../api/connections.ts';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { FullTime } from '../../parts/time.tsx';
import { useClient } from '../../session/session.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';
import { type ConnectionValues, changeOfConnection, creationOfConnection, vendorName } from './connection-values.ts';

/** Result of a test → how it is shown. */
const TEST_CLASSES: Readonly<Record<string, string>> = { works: 'notice notice-good', access_denied: 'notice notice-bad' };

/** What a connection needs. */
interface ConnectionCardProps {
  readonly connection: CarrierConnection;
  readonly onChange: () => void;
  readonly onDelete: () => void;
}

/** One account, its test, and what can be done with it. */
function ConnectionCard({ connection, onChange, onDelete }: ConnectionCardProps) {
  const { t } = useWords();
  const client = useClient();
  const action = useAction();
  const [result, setResult] = useState<ConnectionTest>();
  const { connection_id: id, source, carriers, credential_names, push_url, limits, update_time } = connection;
  const test = async (): Promise<void> => setResult(await testConnection(client, id));
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{vendorName(source)}</h2>
        <span class="links">
          <button type="button" aria-disabled={action.busy} onClick={() => action.run(test)}>
            {action.busy ? t.common.working : t.connections.test}
          </button>
          <button type="button" onClick={onChange}>
            {t.connections.change}
          </button>
          <button type="button" class="danger-quiet" onClick={onDelete}>
            {t.connections.delete}
          </button>
        </span>
      </header>
      <FailureNotice failure={action.failure} />
      <div role="status">
        {result && (
          <div class={TEST_CLASSES[result.result] ?? 'notice'}>
            <p>
              <strong>{t.connections.results[result.result] ?? result.result}</strong>
            </p>
            <p>{result.message}</p>
          </div>
        )}
      </div>
      <Facts
        rows={[
          [t.connections.carriers, carriers.includes('*') ? t.connections.everyCarrier : carriers.join(', ')],
          [t.connections.credentials, credential_names.length === 0 ? t.connections.unreadable : credential_names.join(', ')],
          [t.connections.pushUrl, push_url && <CopyableId key="push" id={push_url} what={t.connections.pushUrl} />],
          [t.connections.limits, limits && JSON.stringify(limits)],
          [t.parcels.updated, <FullTime key="updated" at={update_time} />],
        ]}
      />
    </section>
  );
}

/** The merchant's own accounts with vendors of tracking data. */
export function ConnectionsView() {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const requests = useRef(new RequestKeys());
  const [open, setOpen] = useState<{ readonly deed: 'create' | 'change' | 'delete'; readonly connection?: CarrierConnection }>();
  const { data: connections, failure, reload } = useLoad('connections', (signal) => listConnections(client, signal));
  const close = (): void => setOpen(undefined);
  const done = (text: string): void => {
    close();
    announce(text);
    reload();
  };
  const save = async (values: ConnectionValues): Promise<void> => {
    if (open?.connection === undefined) {
      const body = creationOfConnection(values);
      await requests.current.send(JSON.stringify(body), (request) => createConnection(client, body, request));
      done(t.connections.created);
      return;
    }
    const body = changeOfConnection(values, open.connection);
    if (Object.keys(body).length > 0) await updateConnection(client, open.connection.connection_id, body);
    done(t.common.saved);
  };
  const create = (
    <button type="button" class="primary" onClick={() => setOpen({ deed: 'create' })}>
      {t.connections.create}
    </button>
  );
  return (
    <>
      <PageHeading title={t.connections.title} actions={create} />
      <p class="lead">{t.connections.lead}</p>
      <FailureNotice failure={failure} onRetry={reload} />
      {connections === undefined && failure === undefined && <Skeleton rows={4} />}
      {connections?.length === 0 && <Empty title={t.connections.empty} hint={t.connections.emptyHint} />}
      {connections?.map((connection) => (
        <ConnectionCard
          key={connection.connection_id}
          connection={connection}
          onChange={() => setOpen({ deed: 'change', connection })}
          onDelete={() => setOpen({ deed: 'delete', connection })}
        />
      ))}
      {open !== undefined && open.deed !== 'delete' && (
        <ConnectionDialog {...(open.connection ? { connection: open.connection } : {})} onSubmit={save} onClose={close} />
      )}
      {open?.deed === 'delete' && (
        <ConfirmDialog
          title={t.connections.deleteTitle}
          text={t.connections.deleteText}
          confirm={t.connections.delete}
          danger
          onConfirm={async () => {
            await deleteConnection(client, String(open.connection?.connection_id));
            done(t.connections.deleted);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
