import type { FailedCall } from '@parcelway/contracts/activity-api';
import { useEffect, useId, useState } from 'preact/hooks';
import { type FailedCallFilter, listFailedCalls } from '../../api/activity.ts';
import { pastEmpty } from '../../data/past-empty.ts';
import { usePages } from '../../data/use-pages.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/empty.tsx';
import { ListBody } from '../../parts/list-body.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { errorCodes } from './error-codes.ts';
import { KeyName, type KeyNameProps } from './key-name.tsx';

/** What the tab needs. */
export interface FailedCallsTabProps {
  readonly filter: FailedCallFilter;
  readonly names: KeyNameProps['names'];
}

const NO_FILTER: FailedCallFilter = { requestId: '', code: '', keyId: '' };

function Filters({ filter, names, refresh }: FailedCallsTabProps & { readonly refresh: () => void }) {
  const { t } = useWords();
  const keys = useId();
  const [typed, setTyped] = useState(filter);
  useEffect(() => setTyped(filter), [JSON.stringify(filter)]);
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
        <input
          type="search"
          aria-label={t.activity.requestId}
          placeholder={t.activity.requestId}
          maxLength={64}
          spellcheck={false}
          value={typed.requestId}
          onInput={(event) => setTyped({ ...typed, requestId: event.currentTarget.value })}
        />
        <input
          type="search"
          aria-label={t.activity.keyId}
          placeholder={t.activity.keyId}
          maxLength={64}
          spellcheck={false}
          list={keys}
          value={typed.keyId}
          onInput={(event) => setTyped({ ...typed, keyId: event.currentTarget.value })}
        />
        <datalist id={keys}>
          {[...names].map(([keyId, name]) => (
            <option key={keyId} value={keyId}>
              {name}
            </option>
          ))}
        </datalist>
        <button type="submit">{t.common.filter}</button>
        <select aria-label={t.failedCalls.code} value={filter.code} onChange={(event) => find({ code: event.currentTarget.value })}>
          <option value="">{t.failedCalls.anyCode}</option>
          {errorCodes.map((code) => (
            <option key={code} value={code}>
              {`${code} · ${t.failedCalls.codes[code]}`}
            </option>
          ))}
        </select>
        <button type="button" onClick={refresh}>
          {t.common.refresh}
        </button>
        {JSON.stringify(filter) !== JSON.stringify(NO_FILTER) && (
          <a href={hrefOf({ view: 'failed-calls', ...NO_FILTER })}>{t.common.clear}</a>
        )}
      </form>
    </search>
  );
}

function CallTable({ calls, names }: { readonly calls: readonly FailedCall[]; readonly names: KeyNameProps['names'] }) {
  const { t } = useWords();
  return (
    <Table
      caption={t.activity.failedCalls}
      items={calls}
      idOf={callId}
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
  );
}

/** What sets a call apart: clients may name several calls alike. */
const callId = ({ request_id, time, method, path }: FailedCall): string => `${request_id} ${time} ${method} ${path}`;

/** Calls that failed, newest first; each leads to what the platform responded. */
export function FailedCallsTab({ filter, names }: FailedCallsTabProps) {
  const { t } = useWords();
  const client = useClient();
  const pages = usePages(
    JSON.stringify(filter),
    (cursor, signal) => pastEmpty((at) => listFailedCalls(client, filter, { cursor: at, signal }), cursor),
    callId,
  );
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
      <ListBody pages={pages} empty={pages.more ? <Empty title={t.activity.continues} hint={t.activity.continuesHint} /> : nothing}>
        {(calls) => <CallTable calls={calls} names={names} />}
      </ListBody>
    </>
  );
}
