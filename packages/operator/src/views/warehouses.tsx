import type { Warehouse } from '@parcelway/contracts/warehouse-api';
import { Button } from '@parcelway/page/parts/button';
import { useState } from 'preact/hooks';
import { ConfirmDialog, Field } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Badge, Heading, LoadedTable, Refresh } from '../parts.tsx';
import { useClient, useMay, useRead } from '../session.tsx';
import { CreateKey } from './tenant-keys.tsx';

const PATH = '/admin/v1/warehouses';

interface OperatedWarehouse extends Warehouse {
  readonly close_time?: string;
}

function CreateWarehouse({ onDone, onClose }: { readonly onDone: () => void; readonly onClose: () => void }) {
  const { t } = useWords();
  const client = useClient();
  const [code, setCode] = useState('');
  const [name, setName] = useState('');
  const create = async (): Promise<void> => {
    await client.call(PATH, { method: 'POST', body: { code: code.trim(), name: name.trim() } });
    onDone();
  };
  return (
    <ConfirmDialog
      title={t.warehouses.create}
      text={t.warehouses.createText}
      submit={t.warehouses.create}
      onSubmit={create}
      onClose={onClose}
    >
      <Field id="warehouse-code" label={t.warehouses.code} maxLength={32} value={code} onValue={setCode} required />
      <Field id="warehouse-name" label={t.common.name} maxLength={200} value={name} onValue={setName} required />
    </ConfirmDialog>
  );
}

export function WarehousesView() {
  const { t } = useWords();
  const isAdmin = useMay('admin');
  const [creating, setCreating] = useState(false);
  const [keyFor, setKeyFor] = useState<string>();
  const loaded = useRead('warehouses', (client, signal) => client.call<{ warehouses: OperatedWarehouse[] }>(PATH, { signal }));
  const actions = {
    head: t.common.actions,
    cell: ({ code, close_time }: OperatedWarehouse) =>
      close_time === undefined && <Button onClick={() => setKeyFor(code)} text={t.tenant.createKey} />,
  };
  const buttons = (
    <>
      <Refresh loaded={loaded} />
      {isAdmin && <Button class="primary" onClick={() => setCreating(true)} text={t.warehouses.create} />}
    </>
  );
  return (
    <>
      <Heading title={t.warehouses.title} actions={buttons} />
      <LoadedTable
        loaded={loaded}
        itemsOf={({ warehouses }) => warehouses}
        caption={t.warehouses.title}
        idOf={({ code }) => code}
        none={t.warehouses.none}
        columns={[
          { head: t.warehouses.code, cell: ({ code }) => <code>{code}</code> },
          { head: t.common.name, cell: ({ name }) => name },
          {
            head: t.common.status,
            cell: ({ close_time }) => (
              <Badge tone={close_time === undefined ? 'good' : 'quiet'}>
                {close_time === undefined ? t.warehouses.open : t.warehouses.closed}
              </Badge>
            ),
          },
          ...(isAdmin ? [actions] : []),
        ]}
      />
      {creating && (
        <CreateWarehouse
          onDone={() => {
            setCreating(false);
            loaded.reload();
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {keyFor !== undefined && <CreateKey holder={{ warehouse_code: keyFor }} onClose={() => setKeyFor(undefined)} />}
    </>
  );
}
