/** What one end of an allowed connection may be: a name of a pod, or `internet`, `ingress`, `anywhere`. */
export interface AllowedConnection {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly policy: string;
}

/** Names that stand for a group of pods. */
export interface PodGroups {
  /** Pods with `app.kubernetes.io/component: service`. */
  readonly services: readonly string[];
}

/** Documentation addresses, where no server is: an overlay replaces them. */
const NOWHERE = '192.0.2.0/24';

/** Lines of the block under a key at an indentation, up to the next line that is indented no further. */
function block(text: string, key: RegExp): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => key.test(line));
  if (start === -1) return '';
  const indent = (lines[start] as string).search(/\S/);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= indent);
  return [(lines[start] as string).replace(key, ''), ...(end === -1 ? rest : rest.slice(0, end))].join('\n');
}

const namesIn = (text: string): string[] => [
  ...[...text.matchAll(/app\.kubernetes\.io\/name: ([\w-]+)/g)].map(([, name]) => name as string),
  ...[...text.matchAll(/values: \[([^\]]+)\]/g)].flatMap(([, names]) => (names as string).split(', ')),
];

const withoutComments = (text: string): string => text.replace(/^ *#.*$/gm, '');

/** The pods that a selector means. @throws Error for one that this program cannot read */
function podsOf(selector: string, { services }: PodGroups): readonly string[] {
  if (selector.includes('app.kubernetes.io/component: service')) return services;
  if (selector.trim() === '{}') return [];
  const names = namesIn(selector);
  if (names.length === 0) throw new Error(`Cannot read the selector ${selector.trim()}`);
  return names;
}

/** The other side of one rule. */
function peersOf(rule: string): string[] {
  const peers = namesIn(rule);
  if (/cidr: (0\.0\.0\.0\/0|2000::\/3)/.test(rule)) peers.push('internet');
  if (rule.includes('k8s-app: kube-dns')) peers.push('dns');
  if (/kubernetes\.io\/metadata\.name: ingress\b/.test(rule)) peers.push('ingress');
  if (peers.length === 0 && !rule.includes(NOWHERE)) peers.push('anywhere');
  return peers;
}

const rulesOf = (section: string): string[] =>
  section
    .split(/^ {4}- /m)
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '');

const portsOf = (rule: string): number[] => [...rule.matchAll(/port: (\d+)/g)].map(([, port]) => Number(port));

function connectionsOfRule(own: readonly string[], rule: string, policy: string, direction: 'ingress' | 'egress'): AllowedConnection[] {
  // An egress rule to nowhere is one that an overlay completes: the name of its policy says to whom it leads.
  const peers =
    rule.includes(NOWHERE) && direction === 'egress' && !rule.includes('0.0.0.0/0') ? [policy.replace(/^reach-/, '')] : peersOf(rule);
  const ports = portsOf(rule);
  return own.flatMap((pod) =>
    peers.flatMap((peer) =>
      (ports.length === 0 ? [0] : ports).map((port) => ({
        from: direction === 'egress' ? pod : peer,
        to: direction === 'egress' ? peer : pod,
        port,
        policy,
      })),
    ),
  );
}

/** Connections that policies allow, by direction: both sides of a connection have to allow it. */
export interface Allowed {
  readonly ingress: readonly AllowedConnection[];
  readonly egress: readonly AllowedConnection[];
}

/**
 * Reads the NetworkPolicies of a YAML text, in the forms that the manifests of this repository have. A port of 0 is every port.
 * @throws Error for a selector in another form
 */
export function allowedBy(yaml: string, groups: PodGroups): Allowed {
  const policies = withoutComments(yaml)
    .split(/^---$/m)
    .filter((document) => /^kind: NetworkPolicy$/m.test(document));
  const inDirection = (direction: 'ingress' | 'egress'): AllowedConnection[] =>
    policies.flatMap((document) => {
      const [, policy = ''] = /^ {2}name: (.+)$/m.exec(document) ?? [];
      const own = podsOf(block(document, /^ {2}podSelector:/), groups);
      const rules = rulesOf(block(document, new RegExp(`^ {2}${direction}:$`)));
      return rules.flatMap((rule) => connectionsOfRule(own, rule, policy, direction));
    });
  return { ingress: inDirection('ingress'), egress: inDirection('egress') };
}
