import type { FailedCall } from '@parcelway/contracts/activity-api';
import { ListTable } from '@parcelway/page/parts/table';
import { Button, Facts, LoadedBody, PageHeading } from '@parcelway/page/parts/view';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { type FailedCallFilter, failedCallQuery, REQUESTS } from '../../api/account.ts';
import { duration } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { SearchInput, Select } from '../../parts/forms.tsx';
import { Empty } from '../../parts/lists.tsx';
import { CodeBlock, CopyableId, FullTime, Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useGet, useList } from '../../session/session.tsx';

export interface KeyNameProps {
  readonly keyId: string;
  /** `key_id` → description. */
  readonly names: ReadonlyMap<string, string>;
}

/** A key by its description, with its id below where there is room; by its id alone where no description is known. */
export function KeyName({ keyId, names }: KeyNameProps) {
  const name = names.get(keyId);
  if (name === undefined) return <code>{keyId}</code>;
  return (
    <>
      <span class="whole-words">{name}</span>
      <code class="under wide">{keyId}</code>
    </>
  );
}

const CLOSED = 499;

function Call({ call, names }: { readonly call: FailedCall; readonly names: KeyNameProps['names'] }) {
  const { t } = useWords();
  const { request_id, time, method, path, route, status, code, message, data, key_id, duration_ms } = call;
  return (
    <section class="card" aria-label={`${method} ${path}`}>
      <p class="request-line">
        <code>
          <b>{method}</b> {path}
        </code>
      </p>
      <Facts
        rows={[
          [t.activity.time, <FullTime key="time" at={time} />],
          [t.failedCalls.code, code && <code class="response-bad">{code}</code>],
          [t.failedCalls.message, message],
          [t.failedCalls.status, status === CLOSED ? t.failedCalls.closed : String(status)],
          [t.failedCalls.route, route === null ? t.failedCalls.noRoute : <code>{route}</code>],
          [t.activity.key, names.get(key_id)],
          [t.activity.keyId, <CopyableId key="key" id={key_id} what={t.activity.keyId} />],
          [t.failedCalls.duration, duration(duration_ms)],
          [t.failures.request, <CopyableId key="id" id={request_id} what={t.failures.request} />],
        ]}
      />
      {data === null ? <p class="hint">{t.failedCalls.noData}</p> : <CodeBlock text={JSON.stringify(data)} label={t.failedCalls.data} />}
    </section>
  );
}

/** A failed call with what the platform responded. A client may have named several calls alike: all of them are shown. */
export function FailedCallView({ requestId, names }: { readonly requestId: string; readonly names: KeyNameProps['names'] }) {
  const { t } = useWords();
  const loaded = useGet<{ requests: FailedCall[] }>(REQUESTS, failedCallQuery({ ...NO_FILTER, requestId }));
  return (
    <>
      <PageHeading
        title={t.failedCalls.one}
        crumbs={[
          { href: hrefOf({ view: 'usage', days: '' }), text: t.nav.activity },
          { href: hrefOf({ view: 'failed-calls', requestId: '', code: '', keyId: '' }), text: t.activity.failedCalls },
        ]}
      />
      <LoadedBody loaded={loaded}>
        {({ requests: calls }) =>
          calls.length === 0 ? (
            <Empty title={t.failedCalls.gone} hint={t.failedCalls.goneHint}>
              <Button onClick={loaded.reload} text={t.common.retry} />
            </Empty>
          ) : (
            calls.map((call) => <Call key={`${call.time} ${call.method} ${call.path}`} call={call} names={names} />)
          )
        }
      </LoadedBody>
    </>
  );
}

interface FailedCallsTabProps {
  readonly filter: FailedCallFilter;
  readonly names: KeyNameProps['names'];
}

const NO_FILTER: FailedCallFilter = { requestId: '', code: '', keyId: '' };

function Filters({ filter, names, refresh }: FailedCallsTabProps & { readonly refresh: () => void }) {
  const { t } = useWords();
  const keys = useId();
  const [typed, setTyped] = useState(filter);
  useLayoutEffect(() => setTyped(filter), [JSON.stringify(filter)]);
  const find = (part: Partial<FailedCallFilter> = {}): void => {
    const { requestId, code, keyId } = { ...typed, ...part };
    goTo({ view: 'failed-calls', requestId: requestId.trim(), code, keyId: keyId.trim() });
  };
  return (
    <search>
      <form
        class="filters activity-filters"
        onSubmit={(event) => {
          event.preventDefault();
          find();
        }}
      >
        <SearchInput label={t.failures.request} value={typed.requestId} onValue={(requestId) => setTyped({ ...typed, requestId })} />
        <SearchInput label={t.activity.keyId} list={keys} value={typed.keyId} onValue={(keyId) => setTyped({ ...typed, keyId })} />
        <datalist id={keys}>
          {[...names].map(([keyId, name]) => (
            <option key={keyId} value={keyId}>
              {name}
            </option>
          ))}
        </datalist>
        <button type="submit">{t.common.filter}</button>
        <Select
          label={t.failedCalls.code}
          value={filter.code}
          options={Object.entries(t.failedCalls.codes).map(([code, meaning]) => [code, `${code} · ${meaning}`])}
          onValue={(code) => find({ code })}
        >
          <option value="">{t.failedCalls.anyCode}</option>
        </Select>
        <Button onClick={refresh} text={t.common.refresh} />
        {JSON.stringify(filter) !== JSON.stringify(NO_FILTER) && (
          <a href={hrefOf({ view: 'failed-calls', ...NO_FILTER })}>{t.common.clear}</a>
        )}
      </form>
    </search>
  );
}

/** What sets a call apart: clients may name several calls alike. */
const callId = ({ request_id, time, method, path }: FailedCall): string => `${request_id} ${time} ${method} ${path}`;

/** Calls that failed, newest first; each leads to what the platform responded. */
export function FailedCallsTab({ filter, names }: FailedCallsTabProps) {
  const { t } = useWords();
  const pages = useList<FailedCall>(REQUESTS, 'requests', failedCallQuery(filter), callId, { skipsEmpty: true });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const nothing = isFiltered ? (
    <Empty title={t.failedCalls.noMatch} hint={t.failedCalls.noMatchHint} />
  ) : (
    <Empty title={t.failedCalls.empty} hint={t.failedCalls.emptyHint} />
  );
  return (
    <>
      <p class="lead">{t.failedCalls.lead}</p>
      <Filters filter={filter} names={names} refresh={pages.refresh} />
      <ListTable
        pages={pages}
        empty={pages.more ? <Empty title={t.activity.continues} hint={t.activity.continuesHint} /> : nothing}
        caption={t.activity.failedCalls}
        columns={[
          {
            head: t.failedCalls.call,
            cell: ({ request_id, method, route, path, message }) => (
              <>
                <a class="row-link whole-words" href={hrefOf({ view: 'failed-call', requestId: request_id })}>
                  {method} {route ?? path}
                </a>
                {message !== null && <span class="under narrow">{message}</span>}
              </>
            ),
          },
          { head: t.activity.time, cell: ({ time }) => <Time at={time} /> },
          { head: t.failedCalls.code, cell: ({ code, status }) => <code class="response-bad unbroken">{code ?? status}</code> },
          { head: t.failedCalls.message, kind: 'wide', cell: ({ message }) => message ?? '–' },
          { head: t.activity.key, kind: 'wide', cell: ({ key_id }) => <KeyName keyId={key_id} names={names} /> },
        ]}
      />
    </>
  );
}
