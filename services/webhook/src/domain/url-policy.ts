import ipaddr from 'ipaddr.js';
import { judgeAddress, type Network } from './address-policy.ts';

/** A receiver's URL, taken apart. */
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

/**
 * Takes a receiver's URL apart and judges everything that needs no name server.
 * @returns the target, or a sentence that tells the tenant what to do
 */
export function judgeUrl(text: string, allowed: readonly Network[]): Target | string {
  if (!URL.canParse(text)) return 'url must be an https:// URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'url must be an https:// URL';
  if (url.username !== '' || url.password !== '') return 'url must not contain a user name or password; the signature tells who sends';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const plain = url.protocol === 'http:';
  const target: Target = { host, isLiteral: ipaddr.isValid(host), plain, port: Number(url.port) || (plain ? 80 : 443) };
  return refusalOf(target, allowed) ?? target;
}

function refusalOf(target: Target, allowed: readonly Network[]): string | undefined {
  const { host, isLiteral, plain, port } = target;
  if (host === '') return 'url must name a host';
  if (isLiteral) return addressRefusal(target, host, allowed);
  // With networks of its own an operator may give names to what is in them; what they resolve to is judged later.
  if (allowed.length > 0) return undefined;
  if (INTERNAL_NAMES.test(host) || !host.includes('.')) {
    return `url must name a host on the public internet; ${host} is a name of a private network`;
  }
  return publicRefusal(plain, port);
}

/** Why a public receiver may not be reached this way, or undefined when it may. Its port is 443, or above 1023 and not usual for an internal service. */
function publicRefusal(plain: boolean, port: number): string | undefined {
  if (plain) return 'url must be an https:// URL';
  if (port === 443 || (port >= 1024 && !INTERNAL_PORTS.has(port))) return undefined;
  return `url must use port 443, or a port from 1024 up that is not a usual one of databases and cluster services; ${port} is not allowed`;
}

/**
 * Why an address may not be connected to, or undefined when it may.
 * @param target where the URL leads: its host is the name that was resolved, or the address itself
 */
export function addressRefusal(
  target: Pick<Target, 'host' | 'plain' | 'port'>,
  address: string,
  allowed: readonly Network[],
): string | undefined {
  const judged = judgeAddress(address, allowed);
  if (judged === 'allowed') return undefined;
  if (judged === 'public') return publicRefusal(target.plain, target.port);
  const reached = target.host === address ? address : `${target.host}, which resolves to ${address},`;
  return `url must lead to a public address; ${reached} is a private, local or reserved one`;
}
