import type { ResolutionRecord } from '@parcelway/contracts/unclaimed-api';
import type { UnclaimedParcel } from '@parcelway/contracts/warehouse-api';
import { pathOf } from '@parcelway/page/api/client';
import { useAsk } from '@parcelway/page/parts/form-dialog';
import { Button, PageHeading } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { TableCard, Time } from '../parts.tsx';
import { useClient, useGet, useMay } from '../session.tsx';

const SHOWN = 100;
const PARCEL = '/admin/v1/warehouses/{code}/unclaimed/{event_id}';

function Parcels({ onResolved }: { readonly onResolved: () => void }) {
  const { t } = useWords();
  const client = useClient();
  const mayResolve = useMay('admin');
  const [dialog, ask] = useAsk();
  const loaded = useGet<{ parcels: UnclaimedParcel[] }>('/admin/v1/unclaimed', { limit: SHOWN + 1 });
  const resolve = async ({ warehouse_code, event_id }: UnclaimedParcel, action: 'claim' | 'dismiss', body: object): Promise<void> => {
    await client.call(`${pathOf(PARCEL, warehouse_code, event_id)}/${action}`, { method: 'POST', body });
    loaded.reload();
    onResolved();
  };
  const claim = (parcel: UnclaimedParcel): void =>
    ask({
      title: t.unclaimed.claimTitle,
      text: t.unclaimed.claimText,
      submit: t.unclaimed.claim,
      fields: { forecast_no: { label: t.unclaimed.forecastNo, maxLength: 500, required: true } },
      run: (body) => resolve(parcel, 'claim', body).then(() => t.unclaimed.claimed),
    });
  const dismiss = (parcel: UnclaimedParcel): void =>
    ask({
      title: t.unclaimed.dismissTitle,
      text: t.unclaimed.dismissText,
      submit: t.unclaimed.dismiss,
      fields: { reason: { label: t.common.reason, maxLength: 500, required: true } },
      run: (body) => resolve(parcel, 'dismiss', body).then(() => t.unclaimed.dismissed),
    });
  const actions = {
    head: t.common.actions,
    cell: (parcel: UnclaimedParcel) => (
      <span class="buttons">
        <Button onClick={() => claim(parcel)} text={t.unclaimed.claim} />
        <Button class="danger-quiet" onClick={() => dismiss(parcel)} text={t.unclaimed.dismiss} />
      </span>
    ),
  };
  return (
    <>
      <TableCard
        title={t.unclaimed.title}
        loaded={loaded}
        itemsOf={({ parcels }) => parcels.slice(0, SHOWN)}
        idOf={({ warehouse_code, event_id }) => `${warehouse_code} ${event_id}`}
        none={t.unclaimed.none}
        note={({ parcels }) => parcels.length > SHOWN && t.unclaimed.some}
        columns={[
          { head: t.unclaimed.number, cell: ({ express_no, forecast_no }) => forecast_no ?? express_no ?? '–' },
          { head: t.unclaimed.warehouse, cell: ({ warehouse_code }) => warehouse_code },
          { head: t.unclaimed.event, kind: 'wide', cell: ({ type }) => type },
          { head: t.common.reason, kind: 'wide', cell: ({ reason }) => reason },
          { head: t.unclaimed.received, kind: 'wide', cell: ({ received_at }) => <Time at={received_at} /> },
          ...(mayResolve ? [actions] : []),
        ]}
      />
      {dialog}
    </>
  );
}

export function UnclaimedView() {
  const { t } = useWords();
  const resolutions = useGet<{ resolutions: ResolutionRecord[] }>('/admin/v1/resolutions', { limit: 20 });
  return (
    <>
      <PageHeading title={t.unclaimed.title} />
      <Parcels onResolved={resolutions.reload} />
      <TableCard
        title={t.unclaimed.resolutions}
        beside={false}
        loaded={resolutions}
        itemsOf={(data) => data.resolutions}
        idOf={({ warehouse_code, id, resolved_at }) => `${warehouse_code} ${id} ${resolved_at}`}
        none={t.unclaimed.noResolutions}
        columns={[
          { head: t.unclaimed.action, cell: ({ action }) => t.unclaimed[action] },
          { head: t.unclaimed.warehouse, cell: ({ warehouse_code }) => warehouse_code },
          { head: t.common.reason, cell: ({ forecast_no, reason }) => forecast_no ?? reason },
          { head: t.unclaimed.by, kind: 'wide', cell: ({ resolved_by }) => resolved_by },
          { head: t.unclaimed.at, kind: 'wide', cell: ({ resolved_at }) => <Time at={resolved_at} /> },
        ]}
      />
    </>
  );
}
