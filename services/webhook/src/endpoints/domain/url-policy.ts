import type { Environment } from '@parcelway/contracts/environment';
import { type Network, parseAddress } from '@parcelway/kernel/networks';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { judgeAddress, loopbackNetworkOf } from './address-policy.ts';

const NOT_HTTPS = 'url must be an https:// URL';

export interface Target {
  /** As the URL standard normalises it, so that 2130706433, 0x7f.1 and full-width digits are 127.0.0.1; no brackets, no dot at the end. */
  readonly host: string;
  /** True when `host` is an IP address. */
  readonly isLiteral: boolean;
  /** Plain http: only towards networks that the operator has named. */
  readonly plain: boolean;
  readonly port: number;
}

/**
 * Ports above 1023 on which databases, caches, brokers, container and cluster managers listen. A receiver has no
 * reason to be there, and a request that reaches one of them by mistake may do harm.
 */
const INTERNAL_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 4001, 4369, 5432, 5672, 5900, 5984, 6000, 6379, 6443, 6666, 6667, 7000,
  7001, 8086, 8500, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 25672, 27017, 27018, 50070,
]);

/** Names that mean this machine or this network, whatever a name server says. */
const INTERNAL_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|arpa)$/;

export interface Refusal {
  /** A sentence for the tenant about what is wrong. */
  readonly message: string;
  /** The address or host that an operator could allow; absent when the URL must change whatever is allowed. */
  readonly place?: string;
}

/**
 * What to do about a place that is refused, as sentences behind the refusal.
 * @param place address or host name
 */
export function allowanceHint(place: string, environment: Environment): string {
  if (environment === 'production') return '. An operator can allow further networks with WEBHOOK_ALLOWED_NETWORKS';
  const network = loopbackNetworkOf(place);
  if (network === undefined) return '. An operator can allow its network with WEBHOOK_ALLOWED_NETWORKS';
  return `. To receive on your own machine, use npx parcelctl listen --forward-to, or start the platform with WEBHOOK_ALLOWED_NETWORKS=${network}`;
}

/** The port that a URL leads to. @param written as the URL has it; empty for the usual one of the scheme, and `0` is 0 */
export function portOf(written: string, plain: boolean): number {
  return written === '' ? (plain ? 80 : 443) : Number(written);
}

/**
 * Takes a receiver's URL apart and judges everything that needs no name server.
 * @returns the target, or why it is refused
 */
export function judgeUrl(text: string, allowed: readonly Network[]): Target | Refusal {
  const url = parseUrl(text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return { message: NOT_HTTPS };
  if (url.username !== '' || url.password !== '')
    return { message: 'url must not contain a user name or password; the signature identifies the sender' };
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const plain = url.protocol === 'http:';
  const target: Target = { host, isLiteral: parseAddress(host) !== undefined, plain, port: portOf(url.port, plain) };
  return refusalOf(target, allowed) ?? target;
}

function refusalOf(target: Target, allowed: readonly Network[]): Refusal | undefined {
  const { host, isLiteral } = target;
  if (host === '') return { message: 'url must name a host' };
  if (isLiteral) return addressRefusal(target, host, allowed);
  // With networks of its own an operator may give names to what is in them; what they resolve to is judged later.
  if (allowed.length > 0) return undefined;
  if (INTERNAL_NAMES.test(host) || !host.includes('.')) {
    return { message: `url must name a host on the public internet; ${host} is a name of a private network`, place: host };
  }
  return publicRefusal(target, host);
}

/** Why a public receiver may not be reached this way, or undefined when it may. Its port is 443, or above 1023 and not usual for an internal service. */
function publicRefusal({ plain, port }: Pick<Target, 'plain' | 'port'>, place: string): Refusal | undefined {
  if (plain) return { message: NOT_HTTPS, place };
  if (port === 443 || (port >= 1024 && !INTERNAL_PORTS.has(port))) return undefined;
  return {
    message: `url must use port 443, or a port from 1024 up that databases and cluster services do not commonly use; ${port} is not allowed`,
  };
}

/**
 * Why an address may not be connected to, or undefined when it may.
 * @param target where the URL leads: its host is the name that was resolved, or the address itself
 */
export function addressRefusal(
  target: Pick<Target, 'host' | 'plain' | 'port'>,
  address: string,
  allowed: readonly Network[],
): Refusal | undefined {
  const judged = judgeAddress(address, allowed);
  if (judged === 'allowed') return undefined;
  if (judged === 'public') return publicRefusal(target, address);
  const reached = target.host === address ? address : `${target.host}, which resolves to ${address},`;
  return { message: `url must resolve to a public address; ${reached} is private, local or reserved`, place: address };
}
