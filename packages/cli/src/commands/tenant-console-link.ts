import { CONSOLE_LINK_SECONDS } from '@parcelway/contracts/console-api';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { parseScopes } from '../option-values.ts';
import { renderRecord } from '../table.ts';

interface LinkOptions {
  readonly scopes?: string[];
  readonly minutes?: number;
}

const MOST_MINUTES = CONSOLE_LINK_SECONDS.most / 60;

/** Whole minutes that a link may last. @throws InvalidArgumentError */
function parseMinutes(text: string): number {
  const minutes = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (minutes < 1 || minutes > MOST_MINUTES) throw new InvalidArgumentError(`Enter 1 to ${MOST_MINUTES} minutes.`);
  return minutes;
}

/** Adds `tenant console-link`. */
export function addTenantConsoleLink(tenant: Command, { act }: CommandContext): void {
  tenant
    .command('console-link')
    .description('Create a link that opens the console of a tenant. Whoever has it can use it until it ends')
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .option('--scopes <list>', 'what the link may do, separated by commas; default weighing:read,tracking:read', parseScopes)
    .option('--minutes <count>', `how long it works: 1 to ${MOST_MINUTES}; default ${MOST_MINUTES}`, parseMinutes)
    .action(
      act<LinkOptions>(async (client, [id = ''], { scopes, minutes }) => {
        const body = { scopes, expires_in_seconds: minutes === undefined ? undefined : minutes * 60 };
        const data = await client.call(`/admin/v1/tenants/${encodeURIComponent(id)}/console-links`, { method: 'POST', body });
        const note = `Send it only to the person it is for. To end it before: parcelctl key revoke ${data['key_id']}`;
        return { data, text: `${renderRecord(data)}\n${note}\n` };
      }),
    );
}
