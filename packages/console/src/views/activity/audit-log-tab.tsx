import type { AuditEntry } from '@parcelway/contracts/activity-api';
import { Badge, Button } from '@parcelway/page/parts/view';
import { type AuditFilter, listAuditLog } from '../../api/account.ts';
import { skipEmptyPages } from '../../api/paging.ts';
import { usePages } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { Select } from '../../parts/forms.tsx';
import { Empty, ListTable } from '../../parts/lists.tsx';
import { CopyableId, Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient, usePermissions } from '../../session/session.tsx';
import { placeOf } from './activity-values.ts';
import { KeyName, type KeyNameProps } from './failed-calls.tsx';

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
export function AuditLogTab({ filter, names }: { readonly filter: AuditFilter; readonly names: KeyNameProps['names'] }) {
  const { t } = useWords();
  const client = useClient();
  const pages = usePages(JSON.stringify(filter), (first) => skipEmptyPages((at) => listAuditLog(client, filter, at), first), 'entry_id');
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
