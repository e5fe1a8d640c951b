/**
 * Holds files against the schemas of a version of Kubernetes and of the custom resources. Strict: a field that is not known is an
 * error, and so is a kind without a schema.
 * @returns the command
 */
export function kubeconform(tools: { kubeconform: string; schemas: string }, version: string, files: readonly string[]): string[] {
  const locations = [version, 'custom'].map((folder) => `${tools.schemas}/${folder}/{{.ResourceKind}}{{.KindSuffix}}.json`);
  return [tools.kubeconform, '-strict', '-summary', ...locations.flatMap((each) => ['-schema-location', each]), ...files];
}

/** What kube-score would have otherwise, and why not here. */
const notScored = [
  // The user is that of the image: Dockerfile says 1000, and its files are made for it.
  'container-security-context-user-group-id',
  // Tags name a version, so that what a node has is what is meant.
  'container-image-pull-policy',
  // Replicas are spread by topologySpreadConstraints.
  'deployment-has-host-podantiaffinity',
];

/**
 * Holds a file against the habits of the field; a warning is an error.
 * @returns the command
 */
export function kubeScore(tools: { 'kube-score': string }, { components }: { components: readonly string[] }, file: string): string[] {
  // It knows the autoscaler, and not KEDA's, which has the same least number of replicas.
  const ignored = components.includes('keda') ? [...notScored, 'deployment-replicas'] : notScored;
  return [
    ...[tools['kube-score'], 'score', '--exit-one-on-warning', '--output-format', 'ci'],
    // A limit of CPU slows requests down while the node has cores to spare.
    '--ignore-container-cpu-limit',
    ...['container-seccomp-profile', 'container-ports-check'].flatMap((each) => ['--enable-optional-test', each]),
    ...ignored.flatMap((each) => ['--ignore-test', each]),
    file,
  ];
}

/** A line of kube-score about something that is not as it should be; it says of every object what is in order, too. */
export const scoredBadly = /^\[(?!OK|SKIPPED)[A-Z]+\]/;
