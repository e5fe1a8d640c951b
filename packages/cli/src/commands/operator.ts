import { type OperatorRole, operatorRoles } from '@parcelway/contracts/operator-api';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { parseSeconds } from '../option-values.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';

const columns: readonly Column[] = [
  ['OPERATOR', 'name'],
  ['ROLE', 'role'],
  ['STATE', 'state'],
  ['CREATED', 'create_time'],
  ['EXPIRES', 'expire_time'],
  ['LAST USE', 'last_use_time'],
];

function parseRole(text: string): OperatorRole {
  const role = operatorRoles.find((one) => one === text);
  if (role === undefined) throw new InvalidArgumentError(`Enter one of ${operatorRoles.join(', ')}.`);
  return role;
}

/** Adds `operator …`. */
export function addOperatorCommands(program: Command, { act }: CommandContext): void {
  const operator = program.command('operator').description('Who may use the admin API, each with a token and a role');
  operator
    .command('create')
    .description('Create an operator. The token is shown only once')
    .argument('<name>', '1 to 32 characters out of a to z, 0 to 9 and -')
    .requiredOption(
      '--role <role>',
      'read: look at everything but exports; support: also keys of tenants, webhook endpoints, redriving; admin: everything',
      parseRole,
    )
    .option('--expires-in <duration>', 'validity of the token, such as 90d; default: no expiry', parseSeconds)
    .action(
      act<{ role: OperatorRole; expiresIn?: number }>(async (client, [name = ''], { role, expiresIn }) => {
        const data = await client.call('/admin/v1/operators', { body: { name, role, expires_in_seconds: expiresIn } });
        return { data, text: `${renderRecord(data)}\nSave the token now. It is not shown again. Use it as PARCEL_ADMIN_TOKEN.\n` };
      }),
    );
  operator
    .command('list')
    .description('List operators (without their tokens)')
    .action(
      act(async (client) => {
        const data = await client.call('/admin/v1/operators');
        const none = 'There are no operators besides the token of the installation. Create one: parcelctl operator create NAME --role ROLE';
        return { data, text: renderTable(rowsOf(data, 'operators'), columns, none) };
      }),
    );
  operator
    .command('revoke')
    .description('Revoke the token of an operator. It stops working within 5 s')
    .argument('<name>', 'name of the operator')
    .action(
      act(async (client, [name = '']) => {
        const data = await client.call(`/admin/v1/operators/${encodeURIComponent(name)}/revoke`, { method: 'POST' });
        return { data, text: renderRecord(data) };
      }),
    );
}
