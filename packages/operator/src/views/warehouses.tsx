import type { Warehouse } from '@parcelway/contracts/warehouse-api';
import { type Question, useAsk } from '@parcelway/page/parts/form-dialog';
import { Badge, Button, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { LoadedTable } from '../parts.tsx';
import { useClient, useGet, useMay } from '../session.tsx';
import { useKeyQuestion } from './tenant-keys.tsx';

const PATH = '/admin/v1/warehouses';

interface OperatedWarehouse extends Warehouse {
  readonly close_time?: string;
}

export function WarehousesView() {
  const { t } = useWords();
  const client = useClient();
  const isAdmin = useMay('admin');
  const [dialog, ask] = useAsk();
  const keyQuestion = useKeyQuestion();
  const loaded = useGet<{ warehouses: OperatedWarehouse[] }>(PATH);
  const create: Question = {
    title: t.warehouses.create,
    text: t.warehouses.createText,
    submit: t.warehouses.create,
    fields: {
      code: { label: t.common.code, maxLength: 32, required: true },
      name: { label: t.common.name, maxLength: 200, required: true },
    },
    run: async (body) => {
      await client.call(PATH, { method: 'POST', body });
      loaded.reload();
      return undefined;
    },
  };
  const actions = {
    head: t.common.actions,
    cell: ({ code, close_time }: OperatedWarehouse) =>
      close_time === undefined && <Button onClick={() => ask(keyQuestion({ warehouse_code: code }))} text={t.tenant.createKey} />,
  };
  return (
    <>
      <PageHeading
        title={t.nav.warehouses}
        actions={
          <>
            <Refresh loaded={loaded} />
            {isAdmin && <Button class="primary" onClick={() => ask(create)} text={t.warehouses.create} />}
          </>
        }
      />
      <LoadedTable
        loaded={loaded}
        itemsOf={({ warehouses }) => warehouses}
        caption={t.nav.warehouses}
        idOf={({ code }) => code}
        none={t.warehouses.none}
        columns={[
          { head: t.common.code, cell: ({ code }) => <code>{code}</code> },
          { head: t.common.name, cell: ({ name }) => name },
          {
            head: t.common.status,
            cell: ({ close_time: closed }) => (
              <Badge tone={closed === undefined ? 'good' : 'quiet'}>{closed === undefined ? t.warehouses.open : t.warehouses.closed}</Badge>
            ),
          },
          ...(isAdmin ? [actions] : []),
        ]}
      />
      {dialog}
    </>
  );
}
