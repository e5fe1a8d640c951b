import { type Manifest, ofKind, settingsOf, workloadsOf } from './manifests.ts';

/** With what the names begin under which an environment keeps data. */
const PREFIXES = ['RESOURCE_PREFIX', 'KAFKA_PREFIX'];
/** Its bucket, and the address under which it is reached. */
const NAMED = ['S3_BUCKET', 'PUBLIC_BASE_URL'];

interface IngressSpec {
  readonly tls: ReadonlyArray<{ readonly hosts: readonly string[]; readonly secretName: string }>;
  readonly rules: ReadonlyArray<{ readonly host: string }>;
}

interface AuthenticationSpec {
  readonly secretTargetRef: ReadonlyArray<{ readonly name: string }>;
}

const unique = (names: ReadonlyArray<string | undefined>): string[] => [...new Set(names.filter((name) => name !== undefined))];

/** Secrets that anything in an environment refers to. */
function secretsOf(manifests: readonly Manifest[]): string[] {
  const pods = workloadsOf(manifests).map(({ pod }) => pod);
  return unique([
    ...pods.flatMap(({ volumes = [] }) => volumes.map(({ secret }) => secret?.secretName)),
    ...pods.flatMap(({ containers }) => containers.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name))),
    ...ofKind<IngressSpec>(manifests, 'Ingress').flatMap(({ spec }) => spec.tls.map(({ secretName }) => secretName)),
    ...ofKind<AuthenticationSpec>(manifests, 'TriggerAuthentication').flatMap(({ spec }) => spec.secretTargetRef.map(({ name }) => name)),
  ]);
}

function hostsOf(manifests: readonly Manifest[]): string[] {
  return unique(
    ofKind<IngressSpec>(manifests, 'Ingress').flatMap(({ spec }) => [
      ...spec.rules.map(({ host }) => host),
      ...spec.tls.flatMap(({ hosts }) => hosts),
    ]),
  );
}

/** One that begins with the other: the shorter one's data would lie among the longer one's. */
const overlap = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

/** @returns a sentence for everything that an environment has to have for itself, and has not */
export function insideProblems(manifests: readonly Manifest[]): string[] {
  const spaces = unique(manifests.map(({ kind, metadata }) => (kind === 'Namespace' ? metadata.name : metadata.namespace)));
  const problems = spaces.length === 1 ? [] : [`is spread over the namespaces ${spaces.join(', ')}`];
  if (manifests.some(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace === undefined))
    problems.push('has objects outside of its namespace');
  if (manifests.some(({ kind }) => kind === 'Secret'))
    problems.push('brings a Secret: secrets are made in the cluster, never kept in the tree');
  const [host] = hostsOf(manifests);
  if (settingsOf(manifests)['PUBLIC_BASE_URL'] !== `https://${host}`)
    problems.push(`is reached at ${host}, and PUBLIC_BASE_URL says otherwise`);
  if (settingsOf(manifests)['ENVIRONMENT'] === undefined) problems.push('does not say its ENVIRONMENT: it would be a sandbox');
  return problems;
}

/** @returns a sentence for everything that two environments in one cluster would share */
export function separationProblems(one: readonly Manifest[], other: readonly Manifest[]): readonly string[] {
  const [mine, theirs] = [settingsOf(one), settingsOf(other)];
  const names = [...PREFIXES, ...NAMED].flatMap((name) => {
    const [first, second] = [mine[name], theirs[name]];
    if (first === undefined || second === undefined) return [`${name} is not set in both environments`];
    const shared = PREFIXES.includes(name) ? overlap(first, second) : first === second;
    return shared ? [`${name} is ${first} and ${second}: they would share data`] : [];
  });
  const secrets = secretsOf(one).filter((name) => secretsOf(other).includes(name));
  const hosts = hostsOf(one).filter((name) => hostsOf(other).includes(name));
  const spaces = one.filter(
    ({ kind, metadata }) => kind === 'Namespace' && other.some((each) => each.metadata.namespace === metadata.name),
  );
  return [
    ...names,
    ...(secrets.length === 0 ? [] : [`both use the same Secrets: ${secrets.join(', ')}`]),
    ...hosts.map((name) => `both respond at ${name}`),
    ...spaces.map(({ metadata }) => `both are in the namespace ${metadata.name}`),
  ];
}
