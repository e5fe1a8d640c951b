import type {
  CarrierConnection,
  CarrierConnectionList,
  ConnectionChange,
  ConnectionCreation,
  ConnectionTest,
} from '@parcelway/contracts/carrier-connection-api';
import { pathOf, RequestKeys } from '@parcelway/page/api/client';
import { type ApiFailure, faultsAt } from '@parcelway/page/api/failure';
import { useAction } from '@parcelway/page/data/use-load';
import { fill, nameIn } from '@parcelway/page/languages';
import { type Typed, useAsk } from '@parcelway/page/parts/form-dialog';
import { Button, Card, Facts, FailureNotice, LoadedBody, PageHeading } from '@parcelway/page/parts/view';
import { useRef, useState } from 'preact/hooks';
import { changeIn, creationIn, valuesIn } from '../../data/body.ts';
import { useWords } from '../../messages/language.ts';
import { bound, SelectField, TextField } from '../../parts/forms.tsx';
import { Empty } from '../../parts/lists.tsx';
import { CopyableId, FullTime } from '../../parts/values.tsx';
import { useClient, useGet } from '../../session/session.tsx';
import {
  type ConnectionValues,
  connectionFields,
  credentialNames,
  isOptional,
  limitNames,
  sourceNames,
  vendorName,
} from './connection-values.ts';

const CONNECTIONS = '/open/v1/carrier-connections';
const CONNECTION = `${CONNECTIONS}/{connection_id}`;
/** Milliseconds that a test may take: it calls the source. */
const TEST_DEADLINE_MS = 60_000;

interface CredentialsProps {
  readonly values: ConnectionValues;
  readonly failure: ApiFailure | undefined;
  readonly change: (part: Partial<ConnectionValues>) => void;
  readonly stored: readonly string[];
}

/** Keys and secrets of the account. Those that are stored are not shown: an empty field keeps them. */
function Credentials({ values, failure, change, stored }: CredentialsProps) {
  const { t } = useWords();
  const { source, credentials } = values;
  return (
    <>
      {credentialNames(source, stored).map((name) => (
        <div key={name}>
          <TextField
            label={nameIn(t.connections.credentialLabels, name)}
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
                checked={credentials[name] === null}
                onChange={(event) => change({ credentials: { ...credentials, [name]: event.currentTarget.checked ? null : '' } })}
              />
              {fill(t.common.remove, nameIn(t.connections.credentialLabels, name))}
            </label>
          )}
        </div>
      ))}
    </>
  );
}

interface ConnectionFormProps extends Typed<ConnectionValues> {
  /** Undefined for a new one. */
  readonly connection: CarrierConnection | undefined;
}

function ConnectionForm({ connection, values, change, failure }: ConnectionFormProps) {
  const { t } = useWords();
  return (
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
      <details open={faultsAt(failure, 'limits').length > 0}>
        <summary>{t.connections.limits}</summary>
        {limitNames.map((name) => (
          <TextField
            key={name}
            label={t.connections.limitNames[name]}
            optional={t.common.optional}
            faults={faultsAt(failure, `limits.${name}`)}
            inputMode="decimal"
            value={values.limits[name]}
            onValue={(value) => change({ limits: { ...values.limits, [name]: value } })}
          />
        ))}
        <p class="hint">{t.connections.limitsHint}</p>
      </details>
    </>
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
  const test = async (): Promise<void> =>
    setResult(await client.call<ConnectionTest>(pathOf(`${CONNECTION}/test`, id), { method: 'POST', deadlineMs: TEST_DEADLINE_MS }));
  return (
    <Card
      title={vendorName(source)}
      beside={
        <span class="links">
          <Button aria-disabled={action.busy} onClick={() => action.run(test)} text={action.busy ? t.common.working : t.connections.test} />
          <Button onClick={onChange} text={t.common.change} />
          <Button class="danger-quiet" onClick={onDelete} text={t.common.delete} />
        </span>
      }
    >
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
    </Card>
  );
}

/** The accounts of carriers with which the tenant has its parcels tracked, oldest first. */
export function ConnectionsView() {
  const { t } = useWords();
  const client = useClient();
  const [dialog, ask] = useAsk();
  const requests = useRef(new RequestKeys());
  const loaded = useGet<CarrierConnectionList>(CONNECTIONS);
  const edit = (connection?: CarrierConnection): void =>
    ask<ConnectionValues>({
      title: connection === undefined ? t.connections.create : fill(t.connections.changeTitle, vendorName(connection.source)),
      submit: connection === undefined ? t.connections.connect : t.common.save,
      noValidate: true,
      shownAtFields: Object.keys(connectionFields),
      first: valuesIn(connectionFields, connection),
      draw: (typed) => <ConnectionForm connection={connection} {...typed} />,
      async run(values) {
        if (connection === undefined) {
          const body = creationIn<ConnectionCreation>(connectionFields, values);
          const send = (idempotencyKey: string) => client.call(CONNECTIONS, { method: 'POST', body, idempotencyKey });
          await requests.current.send(JSON.stringify(body), send);
        } else {
          const body = changeIn<ConnectionChange>(connectionFields, values, connection);
          if (Object.keys(body).length > 0) await client.call(pathOf(CONNECTION, connection.connection_id), { method: 'PATCH', body });
        }
        loaded.reload();
        return connection === undefined ? t.connections.created : t.common.saved;
      },
    });
  const remove = ({ connection_id: id }: CarrierConnection): void =>
    ask({
      title: t.connections.deleteTitle,
      text: t.connections.deleteText,
      submit: t.common.delete,
      danger: true,
      run: async () => {
        await client.call(pathOf(CONNECTION, id), { method: 'DELETE' });
        loaded.reload();
        return t.connections.deleted;
      },
    });
  const create = <Button class="primary" onClick={() => edit()} text={t.connections.create} />;
  return (
    <>
      <PageHeading title={t.connections.title} actions={create} />
      <p class="lead">{t.connections.lead}</p>
      <LoadedBody loaded={loaded} rows={4}>
        {({ connections }) =>
          connections.length === 0 ? (
            <Empty title={t.connections.empty} hint={t.connections.emptyHint} />
          ) : (
            connections.map((connection) => (
              <ConnectionCard
                key={connection.connection_id}
                connection={connection}
                onChange={() => edit(connection)}
                onDelete={() => remove(connection)}
              />
            ))
          )
        }
      </LoadedBody>
      {dialog}
    </>
  );
}
