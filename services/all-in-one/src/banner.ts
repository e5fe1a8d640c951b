import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { PublicAddresses } from '@parcelway/platform/service';

export interface BannerFacts extends PublicAddresses {
  readonly environment: string;
  /** Such as `embedded`, or `distributed, 3 replicas of each service`. */
  readonly mode: string;
  readonly dataDirectory: string;
  /** Milliseconds from the start of the process. */
  readonly readyAfterMs: number;
  /** False when PUBLIC_BASE_URL was not set and a default stands for it. */
  readonly isBaseUrlSet: boolean;
}

/** What the banner reads of quickstart.json. */
interface Quickstart {
  readonly tenant: { readonly api_key: string };
}

function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

/** Hosts that only this machine reaches. */
const LOCAL_HOST = /^(localhost|.*\.localhost|127\..*|\[::1\])$/;

/** Why merchants could not open the URLs of their uploads, if so. */
function baseUrlProblem({ baseUrl, isBaseUrlSet }: BannerFacts): string | undefined {
  if (!isBaseUrlSet) return `PUBLIC_BASE_URL is not set: uploads return URLs that begin with ${baseUrl}.`;
  if (!LOCAL_HOST.test(new URL(baseUrl).hostname)) return undefined;
  return `PUBLIC_BASE_URL is ${baseUrl}: only programs on this machine can open the URLs of uploads.`;
}

/** What a person sees when the platform is ready: where it is, where the keys are, and a curl line that works as pasted. */
export function banner(addresses: BannerFacts): string {
  const { environment, dataDirectory, mode, readyAfterMs } = addresses;
  // The whole path: the line is to work wherever it is pasted.
  const caOption = addresses.caFile === null ? '' : `--cacert '${addresses.caFile}' `;
  const lines = [
    '',
    `  Parcelway is ready (${environment}, ${mode}, ${(readyAfterMs / 1000).toFixed(1)} s)`,
    '',
    `  API        ${addresses.baseUrl}`,
    `  Reference  ${addresses.baseUrl}/docs`,
    `  Console    ${addresses.baseUrl}/console  (for merchants)`,
    `  Station    ${addresses.baseUrl}/station  (for warehouses)`,
    `  Admin API  ${addresses.adminUrl}  (used by npx parcelctl; its page for operators is ${addresses.adminUrl}/operator)`,
  ];
  if (environment === 'sandbox') {
    const file = join(dataDirectory, 'quickstart.json');
    const quickstart = JSON.parse(readFileSync(file, 'utf8')) as Quickstart;
    lines.push(
      `  Keys       ${shown(file)}`,
      '',
      '  Try it:',
      '',
      `  curl ${caOption}-H 'X-Api-Key: ${quickstart.tenant.api_key}' ${addresses.baseUrl}/open/v1/warehouses`,
      '',
      '  Receive webhooks here: npx parcelctl listen --forward-to http://localhost:3000/',
    );
  } else {
    lines.push(
      `  Admin key  ${shown(join(dataDirectory, 'admin.json'))}`,
      '',
      '  Create a tenant and a key with: npx parcelctl tenant create --name NAME',
    );
    const problem = baseUrlProblem(addresses);
    if (problem !== undefined)
      lines.push('', `  ${problem}`, '  Set PUBLIC_BASE_URL to the address that merchants use before the first upload.');
  }
  return `${lines.join('\n')}\n\n`;
}
