import { type Labels, type Manifest, ofKind, type Workload } from './manifests.ts';

/* What NetworkPolicies allow, as one text an edge: `pods app.kubernetes.io/name=forecast on TCP 8080`. */

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly Requirement[];
}

/** A range of addresses. */
export interface IpBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: IpBlock;
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: ReadonlyArray<{ readonly port?: number | string; readonly endPort?: number; readonly protocol?: string }>;
}

/** What a NetworkPolicy says. */
export interface PolicySpec {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const byLabels = Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
  return (
    byLabels &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`A selector has the operator ${operator}, which this check does not know`);
      return values.includes(labels[key] ?? '');
    })
  );
}

/** Each selector that stands for `In` several values is one of each. */
function textsOf(selector: Selector): string[] {
  const [first, ...others] = selector.matchExpressions ?? [];
  if (others.length > 0) throw new Error('A peer has several expressions, which this check does not know');
  const labels = Object.entries(selector.matchLabels ?? {}).map(([name, value]) => `${name}=${value}`);
  const all = first === undefined ? [labels] : (first.values ?? []).map((value) => [...labels, `${first.key}=${value}`]);
  return all.map((each) => (each.length === 0 ? 'all' : each.sort().join(',')));
}

function peerTexts({ podSelector, namespaceSelector, ipBlock }: Peer): string[] {
  if (ipBlock !== undefined) return [ipBlock.cidr];
  const pods = podSelector === undefined ? ['all'] : textsOf(podSelector);
  if (namespaceSelector === undefined) return pods.map((each) => `pods ${each}`);
  return textsOf(namespaceSelector).flatMap((namespace) => pods.map((each) => `namespace ${namespace}, pods ${each}`));
}

function edgesOf(rule: Rule): string[] {
  const peers = rule.from ?? rule.to ?? [];
  // Kubernetes takes an empty list of peers or ports for all of them.
  const texts = peers.length === 0 ? ['anywhere'] : peers.flatMap(peerTexts);
  const given = rule.ports ?? [];
  const ports =
    given.length === 0
      ? ['any port']
      : given.map(({ port = 'any', endPort, protocol = 'TCP' }) => `${protocol} ${port}${endPort === undefined ? '' : `-${endPort}`}`);
  return texts.flatMap((peer) => ports.map((port) => `${peer} on ${port}`));
}

/** The policies that hold for pods. */
export function policiesFor(manifests: readonly Manifest[], labels: Labels): ReadonlyArray<Manifest & { readonly spec: PolicySpec }> {
  return ofKind<PolicySpec>(manifests, 'NetworkPolicy').filter(({ spec }) => selects(spec.podSelector, labels));
}

/** All that the pods of a workload may be called by, or call. Undefined: no policy limits that direction. */
export function allowedEdges(
  manifests: readonly Manifest[],
  { labels }: Workload,
  direction: 'Ingress' | 'Egress',
): ReadonlySet<string> | undefined {
  const policies = policiesFor(manifests, labels).filter(({ spec }) => spec.policyTypes.includes(direction));
  if (policies.length === 0) return undefined;
  const rules = policies.flatMap(({ spec }) => (direction === 'Ingress' ? spec.ingress : spec.egress) ?? []);
  return new Set(rules.flatMap(edgesOf));
}

/** What one policy allows. */
export function edgesOfPolicy(manifests: readonly Manifest[], name: string): readonly string[] {
  const policy = ofKind<PolicySpec>(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === name);
  return [...(policy?.spec.ingress ?? []), ...(policy?.spec.egress ?? [])].flatMap(edgesOf);
}

/** The ranges of addresses that pods may call. */
export function reachedBlocks(manifests: readonly Manifest[], labels: Labels): readonly IpBlock[] {
  const rules = policiesFor(manifests, labels).flatMap(({ spec }) => spec.egress ?? []);
  return rules.flatMap(({ to = [] }) => to).flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock]));
}
