import { BlockList, isIPv6 } from 'node:net';
import { judgeAddress } from '../../../../services/webhook/src/endpoints/domain/address-policy.ts';
import { definitions } from './check-environment.ts';
import { type Manifest, ofKind, workloadsOf } from './manifests.ts';
import { allowedEdges, edgesOfPolicy, type IpBlock, type PolicySpec, reachedBlocks } from './network-edges.ts';

/** Services that call out of the cluster: carriers, merchants' endpoints. */
const CALL_THE_INTERNET = ['tracking', 'webhook'];
const INTERNET = ['0.0.0.0/0 on TCP 1-65535', '2000::/3 on TCP 1-65535'];
const NAME = 'app.kubernetes.io/name';
const DNS = ['UDP', 'TCP'].map((protocol) => `namespace kubernetes.io/metadata.name=kube-system, pods k8s-app=kube-dns on ${protocol} 53`);
const PROMETHEUS = `namespace kubernetes.io/metadata.name=monitoring, pods ${NAME}=prometheus on TCP 8444`;

/** Where the overlay says that the Ingress controller is. */
const controllerEdges = (manifests: readonly Manifest[]) =>
  edgesOfPolicy(manifests, 'gateway').filter((edge) => edge.endsWith(' on TCP 8443'));

const servicePort = (name: string): string => `pods ${NAME}=${name} on TCP 8080`;

/** Servers that a workload needs, by what its definition says; the migrate step makes what is in them. */
function serversOf(name: string): readonly string[] {
  const uses = definitions.get(name)?.uses ?? ['object-store'];
  return ['mongodb', 'kafka', ...(['redis', 'object-store'] as const).filter((each) => uses.includes(each))];
}

/** The arrows of a service by its definition and those of the others. */
function expectedEdges(
  manifests: readonly Manifest[],
  name: string,
): { readonly Ingress: readonly string[]; readonly Egress: readonly string[] } {
  const definition = definitions.get(name);
  const callers = [...definitions.values()].filter(({ calls }) => (calls as readonly string[]).includes(name));
  const egress = [
    ...DNS,
    ...(definition?.calls ?? []).map(servicePort),
    ...serversOf(name).flatMap((server) => edgesOfPolicy(manifests, `reach-${server}`)),
    ...(CALL_THE_INTERNET.includes(name) ? INTERNET : []),
    ...(definition === undefined ? [] : edgesOfPolicy(manifests, 'reach-collector')),
  ];
  const ingress = [
    ...callers.map((caller) => servicePort(caller.name)),
    PROMETHEUS,
    ...(name === 'gateway' ? controllerEdges(manifests) : []),
  ];
  return { Ingress: definition === undefined ? [] : ingress, Egress: egress };
}

function workloadProblems(manifests: readonly Manifest[]): string[] {
  const workloads = workloadsOf(manifests).filter(({ kind }) => kind !== 'StatefulSet');
  return workloads.flatMap((workload) => {
    const expected = expectedEdges(manifests, workload.name);
    return (['Ingress', 'Egress'] as const).flatMap((direction) => {
      const [may, must] = direction === 'Ingress' ? ['may be called by', 'must be called by'] : ['may call', 'must call'];
      const allowed = allowedEdges(manifests, workload, direction);
      if (allowed === undefined) return [`${workload.name}: no NetworkPolicy limits whom it ${may}`];
      const open = [...allowed].filter((edge) => !expected[direction].includes(edge));
      const shut = expected[direction].filter((edge) => !allowed.has(edge));
      return [
        ...open.map((edge) => `${workload.name}: ${may} ${edge}; no arrow of the design`),
        ...shut.map((edge) => `${workload.name}: ${must} ${edge}; no NetworkPolicy allows it`),
      ];
    });
  });
}

/** Where the overlay says that a policy leads must be a place, not half the world: a private network, or pods of a named namespace. */
function placeProblems(policy: string, edges: readonly string[], own?: string): string[] {
  if (edges.length === 0) return [`${policy} allows nothing`];
  return edges.flatMap((edge) => {
    const [, cidr = '', bits = '0'] = /^([\d.]+)\/(\d+) on TCP \d+$/.exec(edge) ?? [];
    if (/^namespace (?!all,)/.test(edge) || (own !== undefined && edge.startsWith(`pods ${NAME}=${own} on TCP `))) return [];
    if (cidr === '192.0.2.0') return [`${policy} is not filled in: the overlay says no network and no namespace`];
    return Number(bits) >= 16 && judgeAddress(cidr, []) === 'refused'
      ? []
      : [`${policy} allows ${edge}: name a private network of /16 or smaller, or a namespace`];
  });
}

function serverProblems(manifests: readonly Manifest[]): string[] {
  const servers = ['mongodb', 'kafka', 'redis', 'object-store'].flatMap((server) =>
    placeProblems(`reach-${server}`, edgesOfPolicy(manifests, `reach-${server}`), server),
  );
  return [...servers, ...placeProblems('gateway', controllerEdges(manifests))];
}

function listOf({ cidr, except = [] }: IpBlock): (address: string) => boolean {
  const [allowed, refused] = [[cidr], except].map((blocks) => {
    const list = new BlockList();
    for (const block of blocks) {
      const [network = '', bits] = block.split('/');
      list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4');
    }
    return (address: string): boolean => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  });
  return (address) => allowed?.(address) === true && refused?.(address) === false;
}

/** Addresses that are kept for something, at the edges of their networks, and others. */
const SAMPLES = [
  '1.1.1.1 9.255.1.1 10.0.0.1 11.0.0.1 100.63.1.1 100.64.0.1 100.128.1.1 126.255.1.1 127.0.0.1 128.0.1.1 168.63.129.16 169.253.1.1',
  '169.254.169.254 172.15.1.1 172.16.0.1 172.31.1.1 172.32.1.1 192.0.0.1 192.0.2.1 192.88.99.1 192.167.1.1 192.168.0.1 192.169.1.1',
  '198.17.1.1 198.18.0.1 198.19.1.1 198.20.1.1 198.51.100.1 203.0.113.1 223.255.1.1 224.0.0.1 240.0.0.1 255.255.255.255 0.0.0.1',
  '::1 fc00::1 fd00:ec2::254 fe80::1 ff02::1 64:ff9b::a00:1 2002:a00:1::1 2001:0:a00:1::1 2001:db8::1 2606:4700::1111',
].flatMap((line) => line.split(' '));

/** Addresses that the network lets through and the service refuses, or the other way round. */
function disagreementsOf(blocks: readonly IpBlock[]): readonly string[] {
  const lists = blocks.map(listOf);
  return SAMPLES.filter((address) => lists.some((has) => has(address)) !== (judgeAddress(address, []) === 'public'));
}

/** What the service itself refuses to call, the network refuses too; the rest it lets through. */
function internetProblems(manifests: readonly Manifest[]): string[] {
  return workloadsOf(manifests)
    .filter(({ name }) => CALL_THE_INTERNET.includes(name))
    .flatMap(({ name, labels }) => {
      const blocks = reachedBlocks(manifests, labels).filter(({ cidr }) => INTERNET.some((edge) => edge.startsWith(`${cidr} `)));
      const wrong = disagreementsOf(blocks);
      if (wrong.length === 0) return [];
      return [
        `${name}: NetworkPolicy and the service disagree on ${wrong.length} addresses, the first of them ${wrong.slice(0, 3).join(', ')}`,
      ];
    });
}

function defaultProblems(manifests: readonly Manifest[]): string[] {
  const denied = ofKind<PolicySpec>(manifests, 'NetworkPolicy').some(
    ({ spec }) =>
      Object.keys(spec.podSelector).length === 0 && spec.policyTypes.join() === 'Ingress,Egress' && !spec.ingress && !spec.egress,
  );
  return denied ? [] : ['no NetworkPolicy denies what no other allows'];
}

/** @returns a sentence for each arrow that is open and should not be, or the other way round */
export function arrowProblems(manifests: readonly Manifest[]): readonly string[] {
  return [workloadProblems, serverProblems, internetProblems, defaultProblems].flatMap((check) => check(manifests));
}
