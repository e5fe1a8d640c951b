import type { CreatedOperator, Operator } from '@parcelway/contracts/operator-api';
import { fill } from '@parcelway/page/languages';
import { type Question, useAsk } from '@parcelway/page/parts/form-dialog';
import { Badge, Button, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { LoadedTable, Time } from '../parts.tsx';
import { ROLES, useClient, useGet, useMay } from '../session.tsx';

const PATH = '/admin/v1/operators';

function Operators() {
  const { t } = useWords();
  const client = useClient();
  const [dialog, ask] = useAsk();
  const loaded = useGet<{ operators: Operator[] }>(PATH);
  const create: Question = {
    title: t.operators.create,
    text: t.operators.createText,
    submit: t.operators.create,
    fields: {
      name: { label: t.common.name, hint: t.operators.nameHint, maxLength: 32, required: true },
      role: { label: t.operators.role, choices: ROLES.map((role) => [role, `${t.roles[role]}: ${t.operators.roleHints[role]}`]) },
    },
    run: async (body) => {
      const { token } = await client.call<CreatedOperator>(PATH, { method: 'POST', body });
      loaded.reload();
      return { title: t.operators.tokenTitle, once: t.common.secretText, secret: token, what: t.operators.token };
    },
  };
  const revoke = ({ name }: Operator): void =>
    ask({
      title: t.operators.revokeTitle,
      text: fill(t.operators.revokeText, name),
      submit: t.common.revoke,
      run: async () => {
        await client.call(`${PATH}/${encodeURIComponent(name)}/revoke`, { method: 'POST' });
        loaded.reload();
        return t.operators.revoked;
      },
    });
  return (
    <>
      <PageHeading
        title={t.nav.operators}
        actions={
          <>
            <Refresh loaded={loaded} />
            <Button class="primary" onClick={() => ask(create)} text={t.operators.create} />
          </>
        }
      />
      <LoadedTable
        loaded={loaded}
        itemsOf={({ operators }) => operators}
        caption={t.nav.operators}
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
              operator.state === 'active' && <Button class="danger-quiet" onClick={() => revoke(operator)} text={t.common.revoke} />,
          },
        ]}
      />
      {dialog}
    </>
  );
}

export function OperatorsView() {
  const { t } = useWords();
  const isAdmin = useMay('admin');
  if (isAdmin) return <Operators />;
  return (
    <>
      <PageHeading title={t.nav.operators} />
      <p>{t.operators.needsAdmin}</p>
    </>
  );
}
