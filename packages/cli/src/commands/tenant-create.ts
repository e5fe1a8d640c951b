import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { Data } from '../admin-client.ts';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { renderRecord } from '../table.ts';

interface CreateOptions {
  readonly name: string;
  readonly withKey?: boolean;
  readonly repeat?: string;
}

function parseRepeat(text: string): string {
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(text)) throw new InvalidArgumentError('Enter the text that the failed run has printed.');
  return text;
}

/** The warnings of a response, as lines. */
export const warningLines = (data: Data): string =>
  rowsOf(data, 'warnings')
    .map(({ message }) => `\nWarning: ${message}\n`)
    .join('');

/** A tenant, and its key if it has one. */
function createdText({ warnings, key, ...tenant }: Data): string {
  const lines = renderRecord(tenant) + warningLines({ warnings });
  if (key === undefined) return lines;
  const { key_id, key: secret, scopes } = key as Data;
  return `${lines}\n${renderRecord({ key_id, key: secret, scopes })}\nSave the key now. It is not shown again.\n`;
}

/** Adds `tenant create`. */
export function addTenantCreate(tenant: Command, { act }: CommandContext): void {
  tenant
    .command('create')
    .description('Create a tenant, with --with-key also a key. Without it, issue one: parcelctl key issue --tenant ID')
    .requiredOption('--name <name>', 'name of the merchant')
    .option('--with-key', 'issue a key with the usual scopes in the same call, and show it this once')
    .option(
      '--repeat <text>',
      'repeat a call with --with-key that failed, with the text that it has printed; creates nothing twice',
      parseRepeat,
    )
    .action(
      act<CreateOptions>(async (client, _args, { name, withKey, repeat }) => {
        if (repeat !== undefined && withKey !== true) throw usageError('--repeat belongs to --with-key');
        const path = '/admin/v1/tenants';
        if (withKey !== true) {
          const data = await client.call(path, { body: { name } });
          return { data, text: createdText(data) };
        }
        const idempotencyKey = repeat ?? randomBytes(18).toString('base64url');
        try {
          const data = await client.call(path, { body: { name, with_key: true }, idempotencyKey });
          return { data, text: createdText(data) };
        } catch (error) {
          if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
          const hint = `It is not known whether the tenant was created. Run the same command with --repeat ${idempotencyKey} within 24 hours.\n${error.hint ?? ''}`;
          throw new CliError(error.exitCode, error.message, hint, error);
        }
      }),
    );
}
