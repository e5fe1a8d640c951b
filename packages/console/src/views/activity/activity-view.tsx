import type { AuditEntry, Usage } from '@parcelway/contracts/activity-api';
import { fill } from '@parcelway/page/languages';
import { ListTable } from '@parcelway/page/parts/table';
import { Badge, Button, Card, LoadedBody, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { type AuditFilter, auditQuery } from '../../api/account.ts';
import { bytesText } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { DayChart } from '../../parts/charts.tsx';
import { Select } from '../../parts/forms.tsx';
import { Empty, Tabs } from '../../parts/lists.tsx';
import { CopyableId, Time } from '../../parts/values.tsx';
import { hrefOf, type Route } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useGet, useKeyNames, useList, usePermissions } from '../../session/session.tsx';
import { amountsOf, amountText, daysOf, latestDays, metrics, placeOf, ranges, storedBytesOf } from './activity-values.ts';
import { FailedCallsTab, FailedCallView, KeyName, type KeyNameProps } from './failed-calls.tsx';

interface EntryProps {
  readonly entry: AuditEntry;
  readonly names: KeyNameProps['names'];
}

function Filters({ filter, refresh }: { readonly filter: AuditFilter; readonly refresh: () => void }) {
  const { t } = useWords();
  const find = (part: Partial<AuditFilter>): void => goTo({ view: 'audit-log', ...filter, ...part });
  return (
    <search class="filters activity-filters">
      <Select label={t.auditLog.action} value={filter.action} options={t.activity.actions} onValue={(action) => find({ action })}>
        <option value="">{t.auditLog.anyAction}</option>
      </Select>
      <input type="date" aria-label={t.charts.day} value={filter.day} onChange={(event) => find({ day: event.currentTarget.value })} />
      <Button onClick={refresh} text={t.common.refresh} />
      {(filter.action !== '' || filter.day !== '') && <a href={hrefOf({ view: 'audit-log', action: '', day: '' })}>{t.common.clear}</a>}
    </search>
  );
}

function Actor({ entry: { actor }, names }: EntryProps) {
  const { t } = useWords();
  if (actor.type === 'key' && actor.id !== null) {
    return (
      <>
        <KeyName keyId={actor.id} names={names} />
        {actor.session !== undefined && <span class="under">{t.auditLog.sessions[actor.session]}</span>}
      </>
    );
  }
  return (
    <>
      {t.auditLog.operator}
      {actor.id !== null && <span class="under">{actor.id}</span>}
    </>
  );
}

function Resource({ entry, names }: EntryProps) {
  const { t } = useWords();
  const { can } = usePermissions();
  const { type, id } = entry.resource;
  const kind = t.activity.resources[type];
  if (id === null) return kind;
  const to = placeOf(entry, can);
  const name = type === 'key' ? (names.get(id) ?? id) : id;
  return (
    <>
      {to === undefined ? (
        <span class="whole-words">{name}</span>
      ) : (
        <a class="whole-words" href={hrefOf(to)}>
          {name}
        </a>
      )}
      <span class="under">{kind}</span>
    </>
  );
}

function Outcome({ outcome }: Pick<AuditEntry, 'outcome'>) {
  const { t } = useWords();
  return (
    <>
      <Badge tone={outcome === 'success' ? 'good' : 'wait'}>{t.activity.outcomes[outcome]}</Badge>
      {outcome === 'unknown' && <span class="under">{t.activity.unknownHint}</span>}
    </>
  );
}

/** Who changed what, newest first. */
function AuditLogTab({ filter, names }: { readonly filter: AuditFilter; readonly names: KeyNameProps['names'] }) {
  const { t } = useWords();
  const pages = useList<AuditEntry>('/open/v1/audit-log', 'entries', auditQuery(filter), 'entry_id', { skipsEmpty: true });
  const isFiltered = filter.action !== '' || filter.day !== '';
  const nothing = <Empty title={isFiltered ? t.auditLog.noMatch : t.auditLog.empty} />;
  return (
    <>
      <p class="lead">{t.auditLog.lead}</p>
      <Filters filter={filter} refresh={pages.refresh} />
      <ListTable
        pages={pages}
        empty={pages.more ? <Empty title={t.activity.continues} hint={t.activity.continuesHint} /> : nothing}
        caption={t.activity.auditLog}
        columns={[
          {
            head: t.auditLog.action,
            cell: ({ action, time, outcome, request_id }) => (
              <>
                <b class="whole-words">{t.activity.actions[action]}</b>
                <span class="under narrow">
                  <Time at={time} />
                </span>
                <span class="under narrow">
                  <Outcome outcome={outcome} />
                </span>
                <span class="under narrow">
                  <CopyableId id={request_id} what={t.failures.request} />
                </span>
              </>
            ),
          },
          { head: t.activity.time, kind: 'wide', cell: ({ time }) => <Time at={time} /> },
          { head: t.auditLog.actor, cell: (entry) => <Actor entry={entry} names={names} /> },
          { head: t.auditLog.resource, cell: (entry) => <Resource entry={entry} names={names} /> },
          { head: t.auditLog.outcome, kind: 'wide', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
          {
            head: t.failures.request,
            kind: 'wide',
            cell: ({ request_id }) => <CopyableId id={request_id} what={t.failures.request} />,
          },
        ]}
      />
    </>
  );
}

type ActivityRoute = Extract<Route, { readonly view: 'usage' | 'failed-calls' | 'failed-call' | 'audit-log' }>;

function Total({ usage }: { readonly usage: Usage }) {
  const { t, locale } = useWords();
  const { storage } = usage.total;
  return (
    <Card title={t.usage.total}>
      <dl class="figures usage-total">
        {metrics.map((metric) => (
          <div key={metric}>
            <dt>{t.usage.metrics[metric]}</dt>
            <dd>{amountText(metric, usage.total[metric], locale)}</dd>
          </div>
        ))}
        <div>
          <dt>{t.usage.stored}</dt>
          <dd>
            {storage === null ? '–' : bytesText(storage.bytes, locale)}
            {storage !== null && <span class="unit"> {fill(t.usage.inFiles, storage.files)}</span>}
          </dd>
        </div>
      </dl>
      <p class="hint">{t.usage.storedHint}</p>
    </Card>
  );
}

/** What was used on each of the latest days. @param days as the address has it; empty for the standard */
function UsageTab({ days }: { readonly days: string }) {
  const { t, locale } = useWords();
  const chosen = daysOf(days);
  const { from, to } = latestDays(chosen, Date.now());
  const loaded = useGet<Usage>('/open/v1/usage', { from_date: from, to_date: to });
  return (
    <>
      <p class="lead">{t.usage.lead}</p>
      <search class="filters">
        <Select
          label={t.usage.range}
          value={String(chosen)}
          options={ranges.map((range) => [String(range), fill(t.usage.lastDays, range)])}
          onValue={(value) => goTo({ view: 'usage', days: value })}
        />
        <Refresh loaded={loaded} />
      </search>
      <LoadedBody loaded={loaded}>
        {(usage) => (
          <>
            <Total usage={usage} />
            <div class="charts">
              {metrics.map((metric) => (
                <DayChart
                  key={metric}
                  name={t.usage.metrics[metric]}
                  amounts={amountsOf(usage, metric)}
                  textOf={(amount) => amountText(metric, amount, locale)}
                />
              ))}
              <DayChart name={t.usage.stored} amounts={storedBytesOf(usage)} textOf={(amount) => bytesText(amount, locale)} />
            </div>
          </>
        )}
      </LoadedBody>
    </>
  );
}

/** What the keys of the merchant did: usage, failed calls, and the audit log. */
export function ActivityView({ route }: { readonly route: ActivityRoute }) {
  const { t } = useWords();
  // Without the descriptions, keys are shown by their ids.
  const names = useKeyNames();
  if (route.view === 'failed-call') return <FailedCallView key={route.requestId} requestId={route.requestId} names={names} />;
  const tabs: ReadonlyArray<readonly [ActivityRoute, string]> = [
    [{ view: 'usage', days: '' }, t.activity.usage],
    [{ view: 'failed-calls', requestId: '', code: '', keyId: '' }, t.activity.failedCalls],
    [{ view: 'audit-log', action: '', day: '' }, t.activity.auditLog],
  ];
  return (
    <>
      <PageHeading title={t.nav.activity} />
      <Tabs label={t.nav.activity} links={tabs.map(([to, name]) => [hrefOf(to), name, route.view === to.view])} />
      {route.view === 'usage' && <UsageTab days={route.days} />}
      {route.view === 'failed-calls' && (
        <FailedCallsTab filter={{ requestId: route.requestId, code: route.code, keyId: route.keyId }} names={names} />
      )}
      {route.view === 'audit-log' && <AuditLogTab filter={{ action: route.action, day: route.day }} names={names} />}
    </>
  );
}
