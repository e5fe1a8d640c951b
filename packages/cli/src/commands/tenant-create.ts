import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import type { Data } from '../admin-client.ts';
import { type ApiCommand, option, required } from '../api-command.ts';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import { rowsOf } from '../command-context.ts';
import { renderRecord } from '../table.ts';

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

/** `tenant create`. */
export const tenantCreate: ApiCommand = {
  name: 'create',
  about: 'Create a tenant, with --with-key also a key. Without it, issue one: parcelctl key issue --tenant ID',
  route: 'POST /admin/v1/tenants',
  parameters: [
    required('--name <name>', 'name of the merchant', 'name'),
    option('--with-key', 'issue a key with the usual scopes in the same call, and show it this once', 'with_key'),
    {
      flags: '--repeat <text>',
      about: 'repeat a call with --with-key that failed, with the text that it has printed; creates nothing twice',
      parse: parseRepeat,
    },
  ],
  send(named, { repeat }) {
    if (repeat !== undefined && named['with_key'] !== true) throw usageError('--repeat belongs to --with-key');
    return named;
  },
  async fetch(client, { path, call, values: { withKey, repeat } }) {
    if (withKey !== true) return client.call(path, call);
    const idempotencyKey = (repeat as string | undefined) ?? randomBytes(18).toString('base64url');
    try {
      return await client.call(path, { ...call, idempotencyKey });
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
      const hint = `It is not known whether the tenant was created. Run the same command with --repeat ${idempotencyKey} within 24 hours.\n${error.hint ?? ''}`;
      throw new CliError(error.exitCode, error.message, hint, error);
    }
  },
  show: createdText,
};
