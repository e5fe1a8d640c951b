import type { ResolutionRecord } from '@parcelway/contracts/unclaimed-api';
import type { UnclaimedParcel } from '@parcelway/contracts/warehouse-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button } from '@parcelway/page/parts/button';
import { useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Card, Heading, LoadedTable, Refresh, Time } from '../parts.tsx';
import { useClient, useMay, useRead } from '../session.tsx';

const SHOWN = 100;
type Action = 'claim' | 'dismiss';

/** Asks how a parcel is resolved: the forecast of a claim, the reason of a dismissal. */
function ResolveDialog(props: {
  readonly parcel: UnclaimedParcel;
  readonly action: Action;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { parcel, action, onDone, onClose } = props;
  const { t } = useWords();
  const client = useClient();
  const field = useRef<HTMLInputElement>(null);
  const resolve = async (): Promise<void> => {
    const value = field.current?.value.trim() ?? '';
    const path = `/admin/v1/warehouses/${encodeURIComponent(parcel.warehouse_code)}/unclaimed/${encodeURIComponent(parcel.event_id)}/${action}`;
    await client.call(path, { method: 'POST', body: action === 'claim' ? { forecast_no: value } : { reason: value } });
    onDone();
  };
  const [title, text, confirm] =
    action === 'claim'
      ? [t.unclaimed.claimTitle, t.unclaimed.claimText, t.unclaimed.claim]
      : [t.unclaimed.dismissTitle, t.unclaimed.dismissText, t.unclaimed.dismiss];
  return (
    <ConfirmDialog title={title} text={text} submit={confirm} onSubmit={resolve} onClose={onClose}>
      <div class="field">
        <label for="resolution">{action === 'claim' ? t.unclaimed.forecastNo : t.unclaimed.reason}</label>
        <input id="resolution" ref={field} maxLength={500} autocomplete="off" required />
      </div>
    </ConfirmDialog>
  );
}

function Parcels({ onResolved }: { readonly onResolved: () => void }) {
  const { t } = useWords();
  const mayResolve = useMay('admin');
  const announce = useAnnounce();
  const [asked, setAsked] = useState<{ readonly parcel: UnclaimedParcel; readonly action: Action }>();
  const loaded = useRead('unclaimed', (client, signal) =>
    client.call<{ parcels: UnclaimedParcel[] }>('/admin/v1/unclaimed', { query: { limit: SHOWN + 1 }, signal }),
  );
  const done = (): void => {
    announce(asked?.action === 'claim' ? t.unclaimed.claimed : t.unclaimed.dismissed);
    setAsked(undefined);
    loaded.reload();
    onResolved();
  };
  const actions = {
    head: t.common.actions,
    cell: (parcel: UnclaimedParcel) => (
      <span class="buttons">
        <Button onClick={() => setAsked({ parcel, action: 'claim' })} text={t.unclaimed.claim} />
        <Button class="danger-quiet" onClick={() => setAsked({ parcel, action: 'dismiss' })} text={t.unclaimed.dismiss} />
      </span>
    ),
  };
  return (
    <Card title={t.unclaimed.title} actions={<Refresh loaded={loaded} />}>
      <LoadedTable
        loaded={loaded}
        itemsOf={({ parcels }) => parcels.slice(0, SHOWN)}
        caption={t.unclaimed.title}
        idOf={({ warehouse_code, event_id }) => `${warehouse_code} ${event_id}`}
        none={t.unclaimed.none}
        note={({ parcels }) => parcels.length > SHOWN && t.unclaimed.some}
        columns={[
          { head: t.unclaimed.number, cell: ({ express_no, forecast_no }) => forecast_no ?? express_no ?? '–' },
          { head: t.unclaimed.warehouse, cell: ({ warehouse_code }) => warehouse_code },
          { head: t.unclaimed.event, kind: 'wide', cell: ({ type }) => type },
          { head: t.unclaimed.reason, kind: 'wide', cell: ({ reason }) => reason },
          { head: t.unclaimed.received, kind: 'wide', cell: ({ received_at }) => <Time at={received_at} /> },
          ...(mayResolve ? [actions] : []),
        ]}
      />
      {asked && <ResolveDialog {...asked} onDone={done} onClose={() => setAsked(undefined)} />}
    </Card>
  );
}

export function UnclaimedView() {
  const { t } = useWords();
  const resolutions = useRead('resolutions', (client, signal) =>
    client.call<{ resolutions: ResolutionRecord[] }>('/admin/v1/resolutions', { query: { limit: 20 }, signal }),
  );
  return (
    <>
      <Heading title={t.unclaimed.title} />
      <Parcels onResolved={resolutions.reload} />
      <Card title={t.unclaimed.resolutions}>
        <LoadedTable
          loaded={resolutions}
          itemsOf={(data) => data.resolutions}
          caption={t.unclaimed.resolutions}
          idOf={({ warehouse_code, id, resolved_at }) => `${warehouse_code} ${id} ${resolved_at}`}
          none={t.unclaimed.noResolutions}
          columns={[
            { head: t.unclaimed.action, cell: ({ action }) => t.unclaimed[action] },
            { head: t.unclaimed.warehouse, cell: ({ warehouse_code }) => warehouse_code },
            { head: t.unclaimed.reason, cell: ({ forecast_no, reason }) => forecast_no ?? reason },
            { head: t.unclaimed.by, kind: 'wide', cell: ({ resolved_by }) => resolved_by },
            { head: t.unclaimed.at, kind: 'wide', cell: ({ resolved_at }) => <Time at={resolved_at} /> },
          ]}
        />
      </Card>
    </>
  );
}
