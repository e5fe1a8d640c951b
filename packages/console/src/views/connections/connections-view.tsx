import type { CarrierConnection, ConnectionTest } from '@parcelway/contracts/carrier-connection-api';
import { RequestKeys } from '@parcelway/page/api/client';
import { type ApiFailure, faultsAt } from '@parcelway/page/api/failure';
import { useAction, useLoad } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button } from '@parcelway/page/parts/button';
import { useRef, useState } from 'preact/hooks';
import { createConnection, deleteConnection, listConnections, testConnection, updateConnection } from '../../api/account.ts';
import { useValues } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { bound, ConfirmDialog, FailureNotice, FormDialog, SelectField, TextField, withChoice } from '../../parts/forms.tsx';
import { Empty, LoadedBody, PageHeading } from '../../parts/lists.tsx';
import { CopyableId, Facts, FullTime } from '../../parts/values.tsx';
import { useClient } from '../../session/session.tsx';
import {
  type ConnectionValues,
  changeOfConnection,
  creationOfConnection,
  credentialNames,
  isOptional,
  limitNames,
  sourceNames,
  valuesOfConnection,
  vendorName,
} from './connection-values.ts';

interface ConnectionDialogProps {
  /** Undefined for a new one. */
  readonly connection?: CarrierConnection;
  readonly onSubmit: (values: ConnectionValues) => Promise<void>;
  readonly onClose: () => void;
}

interface PartProps {
  readonly values: ConnectionValues;
  readonly failure: ApiFailure | undefined;
  readonly change: (part: Partial<ConnectionValues>) => void;
}

const FIELDS = ['source', 'carriers', 'credentials', 'limits'];

/** Keys and secrets of the account. Those that are stored are not shown: an empty field keeps them. */
function Credentials({ values, failure, change, stored }: PartProps & { readonly stored: readonly string[] }) {
  const { t } = useWords();
  const { source, credentials, removed } = values;
  return (
    <>
      {credentialNames(source, stored).map((name) => (
        <div key={name}>
          <TextField
            label={t.connections.credentialLabels[name] ?? name}
            hint={stored.includes(name) ? t.connections.keptHint : undefined}
            optional={isOptional(source, name) ? t.common.optional : undefined}
            faults={faultsAt(failure, `credentials.${name}`)}
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={credentials[name] ?? ''}
            onValue={(value) => change({ credentials: { ...credentials, [name]: value } })}
          />
          {stored.includes(name) && isOptional(source, name) && (
            <label class="check">
              <input
                type="checkbox"
                checked={removed.includes(name)}
                onChange={(event) => change({ removed: withChoice(removed, name, event.currentTarget.checked) })}
              />
              {t.common.remove(t.connections.credentialLabels[name] ?? name)}
            </label>
          )}
        </div>
      ))}
    </>
  );
}

function Limits({ values: { limits }, failure, change }: PartProps) {
  const { t } = useWords();
  return (
    <details open={faultsAt(failure, 'limits').length > 0}>
      <summary>{t.connections.limits}</summary>
      {limitNames.map((name) => (
        <TextField
          key={name}
          label={t.connections.limitNames[name]}
          optional={t.common.optional}
          faults={faultsAt(failure, `limits.${name}`)}
          inputMode="decimal"
          value={limits[name]}
          onValue={(value) => change({ limits: { ...limits, [name]: value } })}
        />
      ))}
      <p class="hint">{t.connections.limitsHint}</p>
    </details>
  );
}

function ConnectionDialog({ connection, onSubmit, onClose }: ConnectionDialogProps) {
  const { t } = useWords();
  const [values, change] = useValues(() => valuesOfConnection(connection));
  return (
    <FormDialog
      title={connection === undefined ? t.connections.create : t.connections.changeTitle(vendorName(connection.source))}
      submit={connection === undefined ? t.connections.connect : t.common.save}
      noValidate
      shownAtFields={FIELDS}
      onSubmit={() => onSubmit(values)}
      onClose={onClose}
    >
      {(failure) => (
        <>
          {connection === undefined && (
            <SelectField
              label={t.connections.source}
              faults={faultsAt(failure, 'source')}
              value={values.source}
              options={sourceNames.map((name) => [name, vendorName(name)])}
              onValue={(source) => change({ source, credentials: {} })}
            />
          )}
          <TextField
            {...bound(values, change, failure)('carriers')}
            label={t.connections.carriers}
            hint={t.connections.carriersHint}
            required
            spellcheck={false}
          />
          <Credentials values={values} failure={failure} change={change} stored={connection?.credential_names ?? []} />
          <Limits values={values} failure={failure} change={change} />
        </>
      )}
    </FormDialog>
  );
}

/** Result of a test → how it is shown. */
const TEST_CLASSES: Readonly<Record<string, string>> = { works: 'notice notice-good', access_denied: 'notice notice-bad' };

interface ConnectionCardProps {
  readonly connection: CarrierConnection;
  readonly onChange: () => void;
  readonly onDelete: () => void;
}

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
          <Button aria-disabled={action.busy} onClick={() => action.run(test)} text={action.busy ? t.common.working : t.connections.test} />
          <Button onClick={onChange} text={t.connections.change} />
          <Button class="danger-quiet" onClick={onDelete} text={t.connections.delete} />
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

export function ConnectionsView() {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const requests = useRef(new RequestKeys());
  const [open, setOpen] = useState<{ readonly action: 'create' | 'change' | 'delete'; readonly connection?: CarrierConnection }>();
  const loaded = useLoad('connections', (signal) => listConnections(client, signal));
  const close = (): void => setOpen(undefined);
  const done = (text: string): void => {
    close();
    announce(text);
    loaded.reload();
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
  const create = <Button class="primary" onClick={() => setOpen({ action: 'create' })} text={t.connections.create} />;
  return (
    <>
      <PageHeading title={t.connections.title} actions={create} />
      <p class="lead">{t.connections.lead}</p>
      <LoadedBody loaded={loaded} rows={4}>
        {(connections) =>
          connections.length === 0 ? (
            <Empty title={t.connections.empty} hint={t.connections.emptyHint} />
          ) : (
            connections.map((connection) => (
              <ConnectionCard
                key={connection.connection_id}
                connection={connection}
                onChange={() => setOpen({ action: 'change', connection })}
                onDelete={() => setOpen({ action: 'delete', connection })}
              />
            ))
          )
        }
      </LoadedBody>
      {open !== undefined && open.action !== 'delete' && (
        <ConnectionDialog {...(open.connection ? { connection: open.connection } : {})} onSubmit={save} onClose={close} />
      )}
      {open?.action === 'delete' && (
        <ConfirmDialog
          title={t.connections.deleteTitle}
          text={t.connections.deleteText}
          submit={t.connections.delete}
          danger
          onSubmit={async () => {
            await deleteConnection(client, String(open.connection?.connection_id));
            done(t.connections.deleted);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
