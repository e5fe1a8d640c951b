import type { CreatedOperator, Operator, OperatorRole } from '@parcelway/contracts/operator-api';
import { useLoad } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button } from '@parcelway/page/parts/button';
import { useState } from 'preact/hooks';
import { ConfirmDialog, Field, SecretDialog } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Badge, Heading, LoadedBody, Refresh, Table, Time } from '../parts.tsx';
import { ROLES, useClient, useMay } from '../session.tsx';

const PATH = '/admin/v1/operators';

function CreateDialog({ onCreated, onClose }: { readonly onCreated: (created: CreatedOperator) => void; readonly onClose: () => void }) {
  const { t } = useWords();
  const client = useClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<OperatorRole>('read');
  const create = async (): Promise<void> => {
    onCreated(await client.call<CreatedOperator>(PATH, { method: 'POST', body: { name: name.trim(), role } }));
  };
  return (
    <ConfirmDialog title={t.operators.create} text={t.operators.createText} submit={t.operators.create} onSubmit={create} onClose={onClose}>
      <Field id="operator-name" label={t.common.name} hint={t.operators.nameHint} maxLength={32} value={name} onValue={setName} required />
      <fieldset>
        <legend>{t.operators.role}</legend>
        {ROLES.map((one) => (
          <label key={one} class="check">
            <input type="radio" name="role" value={one} checked={role === one} onChange={() => setRole(one)} />
            <span>
              {t.roles[one]}: {t.operators.roleHints[one]}
            </span>
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}

function OperatorTable({
  operators,
  onRevoke,
}: {
  readonly operators: readonly Operator[];
  readonly onRevoke: (operator: Operator) => void;
}) {
  const { t } = useWords();
  return (
    <Table
      caption={t.operators.title}
      items={operators}
      idOf={({ name }) => name}
      none={t.operators.none}
      columns={[
        { head: t.operators.operator, cell: ({ name }) => name },
        { head: t.operators.role, cell: ({ role }) => t.roles[role] },
        {
          head: t.common.status,
          cell: ({ state }) => <Badge tone={state === 'active' ? 'good' : 'quiet'}>{t.operators.states[state]}</Badge>,
        },
        { head: t.common.created, kind: 'wide', cell: ({ create_time }) => <Time at={create_time} /> },
        { head: t.common.expires, kind: 'wide', cell: ({ expire_time }) => <Time at={expire_time} /> },
        { head: t.common.lastUse, kind: 'wide', cell: ({ last_use_time }) => <Time at={last_use_time} /> },
        {
          head: t.common.actions,
          cell: (operator) =>
            operator.state === 'active' && <Button class="danger-quiet" onClick={() => onRevoke(operator)} text={t.operators.revoke} />,
        },
      ]}
    />
  );
}

function Operators() {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedOperator>();
  const [revoking, setRevoking] = useState<Operator>();
  const loaded = useLoad('operators', (signal) => client.call<{ operators: Operator[] }>(PATH, { signal }));
  const revoke = async ({ name }: Operator): Promise<void> => {
    await client.call(`${PATH}/${encodeURIComponent(name)}/revoke`, { method: 'POST' });
    setRevoking(undefined);
    announce(t.operators.revoked);
    loaded.reload();
  };
  const show = (operator: CreatedOperator): void => {
    setCreating(false);
    setCreated(operator);
    loaded.reload();
  };
  return (
    <>
      <Heading
        title={t.operators.title}
        actions={
          <>
            <Refresh loaded={loaded} />
            <Button class="primary" onClick={() => setCreating(true)} text={t.operators.create} />
          </>
        }
      />
      <LoadedBody loaded={loaded}>{({ operators }) => <OperatorTable operators={operators} onRevoke={setRevoking} />}</LoadedBody>
      {creating && <CreateDialog onCreated={show} onClose={() => setCreating(false)} />}
      {created && <SecretDialog title={t.operators.tokenTitle} secret={created.token} onClose={() => setCreated(undefined)} />}
      {revoking && (
        <ConfirmDialog
          title={t.operators.revokeTitle}
          text={t.operators.revokeText(revoking.name)}
          submit={t.operators.revoke}
          onSubmit={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

export function OperatorsView() {
  const { t } = useWords();
  const isAdmin = useMay('admin');
  if (isAdmin) return <Operators />;
  return (
    <>
      <Heading title={t.operators.title} />
      <p>{t.operators.needsAdmin}</p>
    </>
  );
}
