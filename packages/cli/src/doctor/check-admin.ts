import type { Check } from '@parcelway/platform/doctor/check';
import { type AdminClient, createAdminClient } from '../admin-client.ts';
import { CliError } from '../cli-error.ts';
import { rowsOf } from '../command-context.ts';
import { type AdminAccess, type Environ, findInstallation } from '../find-installation.ts';
import { hasUnreadableCredentials, UNREADABLE_NEXT } from '../unreadable-credentials.ts';

/** Access to the admin API: as every command finds it, else on this machine, as in the container of a gateway. */
function accessOf(env: Environ): AdminAccess {
  try {
    return findInstallation(env);
  } catch (error) {
    const { ADMIN_PORT: port, ADMIN_TOKEN: token } = env;
    if (port && port !== '0' && token) return { url: `http://127.0.0.1:${port}`, token };
    throw error;
  }
}

/** Reports connections that are not used because nothing opens their credentials. Those of tenants do not show in the admin API. */
async function checkConnections(client: AdminClient, report: Parameters<Check['run']>[0]): Promise<void> {
  const { code, message, data } = await client.ask('/admin/v1/carrier-connections');
  if (code !== '0') {
    report.warning('connections', `not checked: ${message}`, 'Repeat the check when the platform is ready.');
    return;
  }
  const connections = rowsOf(data ?? {}, 'connections');
  // Without their ids: a long one may be a secret.
  const unreadable = connections.filter(hasUnreadableCredentials).length;
  if (unreadable === 0) report.ok('connections', `${connections.length} to tracking sources, none with unreadable credentials`);
  else
    report.wrong(
      'connections',
      `no secret opens the credentials of ${unreadable} of ${connections.length}`,
      `parcelctl connection list shows which. ${UNREADABLE_NEXT}.`,
    );
}

/** Checks that the admin API responds and accepts the token, the state of every service as the gateway reports it, and the operator's connections. */
export function checkAdmin(env: Environ, whenUnknown: 'warning' | 'wrong'): Check {
  return {
    name: 'admin API',
    deadlineMs: 35_000,
    async run(report) {
      let access: AdminAccess;
      try {
        access = accessOf(env);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        const next = error.hint ?? 'Set PARCEL_ADMIN_URL and PARCEL_ADMIN_TOKEN.';
        report[whenUnknown]('admin API', `${whenUnknown === 'warning' ? 'not checked: ' : ''}${error.message}`, next);
        return;
      }
      const client = createAdminClient(access);
      try {
        await client.call('/admin/v1/warehouses');
        report.ok('admin API', `responds at ${access.url} and accepts the token`);
        const { code, message, data } = await client.ask('/admin/v1/status');
        const states = data?.['services'] === undefined ? '' : `: ${JSON.stringify(data['services'])}`;
        if (code === '0') report.ok('platform', 'ready');
        else report.wrong('platform', `not ready: ${message}${states}`, 'See the log of the service that is not ready.');
        await checkConnections(client, report);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        report.wrong('admin API', error.message, error.hint ?? 'See the log of the gateway.');
      }
    },
  };
}

/** The admin token, so that it can be redacted; undefined when it is not known. */
export function tokenOf(env: Environ): string | undefined {
  try {
    return accessOf(env).token;
  } catch {
    // The check itself reports this.
    return undefined;
  }
}
