import type { FailedCall } from '@parcelway/contracts/activity-api';
import { listFailedCalls } from '../../api/activity.ts';
import { useLoad } from '../../data/use-load.ts';
import { duration } from '../../format/time.ts';
import { useWords } from '../../messages/language.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { FullTime } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';
import type { KeyNameProps } from './key-name.tsx';

/** Status of a call of which the client closed the connection. */
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
          [t.activity.requestId, <CopyableId key="id" id={request_id} what={t.activity.requestId} />],
        ]}
      />
      {data === null ? <p class="hint">{t.failedCalls.noData}</p> : <CodeBlock text={JSON.stringify(data)} label={t.failedCalls.data} />}
    </section>
  );
}

/** What the view needs. */
export interface FailedCallViewProps {
  readonly requestId: string;
  readonly names: KeyNameProps['names'];
}

/** A failed call with what the platform responded. A client may have named several calls alike: all of them are shown. */
export function FailedCallView({ requestId, names }: FailedCallViewProps) {
  const { t } = useWords();
  const client = useClient();
  const { data, failure, reload } = useLoad(requestId, async (signal) => {
    const { items } = await listFailedCalls(client, { requestId, code: '', keyId: '' }, { cursor: undefined, signal });
    return items;
  });
  return (
    <>
      <PageHeading
        title={t.failedCalls.one}
        crumbs={[
          { href: hrefOf({ view: 'usage', days: '' }), text: t.activity.title },
          { href: hrefOf({ view: 'failed-calls', requestId: '', code: '', keyId: '' }), text: t.activity.failedCalls },
        ]}
      />
      <FailureNotice failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Skeleton rows={8} />}
      {data?.length === 0 && (
        <Empty title={t.failedCalls.gone} hint={t.failedCalls.goneHint}>
          <button type="button" onClick={reload}>
            {t.common.retry}
          </button>
        </Empty>
      )}
      {data?.map((call) => (
        <Call key={`${call.time} ${call.method} ${call.path}`} call={call} names={names} />
      ))}
    </>
  );
}
