import { MAX_IMPORT_BYTES } from '@parcelway/contracts/import-limits';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { type Manifest, ofKind, settingsOf } from './manifests.ts';
import { edgesOfPolicy } from './network-edges.ts';

/** Settings with addresses of servers, and the NetworkPolicy by which pods reach them. Those of MongoDB and Redis are in Secrets. */
const REACHED_BY: Readonly<Record<string, string>> = {
  KAFKA_BROKERS: 'reach-kafka',
  S3_ENDPOINT: 'reach-object-store',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'reach-collector',
};

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The port of `host:port`, or of a URL. Undefined: it is neither, which check-environment.ts says. */
function portOf(address: string): string | undefined {
  if (!address.includes('://')) return /:(\d+)$/.exec(address)?.[1];
  const url = parseUrl(address);
  return url?.port === '' ? DEFAULT_PORTS[url.protocol] : url?.port;
}

/** @returns a sentence for each port of a server that a setting names and no NetworkPolicy lets pods reach */
export function serverPortProblems(manifests: readonly Manifest[]): readonly string[] {
  const settings = settingsOf(manifests);
  return Object.entries(REACHED_BY).flatMap(([setting, policy]) => {
    const allowed = edgesOfPolicy(manifests, policy).flatMap((edge) => / on TCP (\d+)$/.exec(edge)?.[1] ?? []);
    const named = (settings[setting] ?? '').split(',').map((each) => portOf(each.trim()));
    const shut = [...new Set(named)].filter((port) => port !== undefined && !allowed.includes(port));
    return shut.map(
      (port) =>
        `${setting} names port ${port}; the NetworkPolicy ${policy} allows ${[...new Set(allowed)].join(', ') || 'none'}: make the two agree in the overlay`,
    );
  });
}

/** The largest upload, and what a multipart form adds at most. */
const LARGEST_BODY_MIB = MAX_IMPORT_BYTES / 2 ** 20 + 1;

/** @returns a sentence for each annotation by which an Ingress controller would refuse an upload that the gateway takes */
export function bodySizeProblems(manifests: readonly Manifest[]): readonly string[] {
  const annotations = ofKind(manifests, 'Ingress').flatMap(({ metadata }) => Object.entries(metadata.annotations ?? {}));
  const sizes = annotations.filter(([name]) => /(proxy|max)-body-size$/.test(name));
  const small = sizes.filter(([, size]) => !(Number(/^(\d+)m$/.exec(size)?.[1]) >= LARGEST_BODY_MIB));
  return [
    ...(sizes.length === 0 ? ['no annotation of the Ingress allows uploads'] : []),
    ...small.map(([name, size]) => `${name} is ${size}; uploads need ${LARGEST_BODY_MIB}m`),
  ];
}
