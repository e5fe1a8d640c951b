import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exportTenant } from '../export/export-tenant.ts';

const HELP = `
One file with NDJSON for each service and kind, the contents of files and photos beside them, and manifest.json, which is written last: a folder
without it is not complete. Run the command again on the same folder to go on after an interruption. Any other folder must be new or empty.
Forecasts and shipments whose retention has ended are in the archive alone: parcelctl archive export --tenant TENANT --to-file FILE writes those.
Keys, secrets and credentials are not exported. The folder contains personal data. See docs/operate.md.`;

/** Adds `tenant export`. */
export function addTenantExport(tenant: Command, { io, act }: CommandContext): void {
  tenant
    .command('export')
    .description('Copy what the services store about a tenant into a folder; without the archive')
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .requiredOption('--to <folder>', 'new folder, or that of an export to go on with')
    .addHelpText('after', HELP)
    .action(
      act<{ to: string }>(async (client, [tenantId = ''], { to }) => {
        process.umask(0o077);
        const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
        const now = (): string => new Date().toISOString();
        const say = (line: string): void => io.err(`  ${line}\n`);
        const result = await exportTenant({ client, tenantId, folder: resolve(to), version, now, say });
        const { folder, records, contents, missing, bytes } = result;
        const gone = missing === 0 ? '' : ` ${missing} contents are gone already.`;
        return {
          data: { tenant_id: tenantId, ...result },
          text: `Exported ${tenantId} to ${folder}: ${records} records, ${contents} new contents, ${bytes} bytes.${gone}\n`,
        };
      }),
    );
}
