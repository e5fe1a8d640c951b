import { describe, expect, test } from '@jest/globals';
import { arrowProblems } from './check-arrows.ts';
import { type Manifest, planted, readManifests } from './manifests.ts';

const sandbox = readManifests('example-sandbox');

/** One policy changed. */
function withPolicy(name: string, change: (spec: Record<string, unknown>) => void): readonly Manifest[] {
  const copy = structuredClone(sandbox) as Manifest[];
  const policy = copy.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name);
  if (policy === undefined) throw new Error(`There is no NetworkPolicy ${name}`);
  change(policy.spec as Record<string, unknown>);
  return copy;
}

describe('NetworkPolicies', () => {
  test('a port that is open to all is reported', () => {
    const faulty = withPolicy('forecast', (spec) => Object.assign(spec, { ingress: [{}] }));
    const problems = arrowProblems(faulty);
    expect(problems).toContain('forecast: may be called by anywhere on any port; no arrow of the design');
    expect(problems).toContain('forecast: must be called by pods app.kubernetes.io/name=gateway on TCP 8080; no NetworkPolicy allows it');
  });

  test('an egress rule that is open to all is reported', () => {
    const faulty = withPolicy('file', (spec) => Object.assign(spec, { egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] }));
    expect(arrowProblems(faulty)).toEqual([
      'file: may call 0.0.0.0/0 on any port; no arrow of the design',
      'file: must call pods app.kubernetes.io/name=forecast on TCP 8080; no NetworkPolicy allows it',
    ]);
  });

  test('a server that the backup cannot reach is reported', () => {
    const everything = readManifests('example-production-with-all');
    const faulty = planted(everything, '"webhook","migrate","backup"]', '"webhook","migrate"]');
    expect(arrowProblems(faulty)).toEqual([
      expect.stringMatching(/^backup: must call 10\.30\.0\.\d+\/26 on TCP \d+; no NetworkPolicy allows it$/),
    ]);
  });

  test('a policy that denies by default and is not there is reported', () => {
    const faulty = sandbox.filter(({ metadata }) => metadata.name !== 'default-deny');
    const problems = arrowProblems(faulty);
    expect(problems).toContain('no NetworkPolicy denies what no other allows');
    expect(problems).toContain('migrate: no NetworkPolicy limits whom it may be called by');
  });

  test.each([
    [
      '"values":["gateway","webhook"]',
      '"values":["gateway","webhook","forecast"]',
      'forecast: may call 10.20.0.128/26 on TCP 6379; no arrow',
    ],
    ['"values":["gateway","webhook"]', '"values":["gateway"]', 'webhook: must call 10.20.0.128/26 on TCP 6379; no NetworkPolicy allows it'],
    ['"cidr":"10.20.0.128/26"', '"cidr":"192.0.2.0/24"', 'reach-redis is not filled in: the overlay says no network and no namespace'],
    ['"cidr":"10.20.0.128/26"', '"cidr":"0.0.0.0/0"', 'reach-redis allows 0.0.0.0/0 on TCP 6379: name a private network'],
    [
      '"169.254.0.0/16",',
      '',
      'tracking: NetworkPolicy and the service disagree on 2 addresses, the first of them 169.254.1.1, 169.254.169.254',
    ],
    [
      '{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"ingress"}}}',
      '{"namespaceSelector":{}}',
      'gateway allows namespace all, pods all on TCP 8443: name a private network of /16 or smaller, or a namespace',
    ],
  ])('the fault is reported: %s as %s', (sound, fault, expected) => {
    expect(arrowProblems(planted(sandbox, sound, fault))).toContainEqual(expect.stringContaining(expected));
  });

  test('servers in the cluster may be named by namespace and labels, and the controller by other namespaces', () => {
    const pods =
      '{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"redis"}},"podSelector":{"matchLabels":{"app":"redis"}}}';
    const moved = planted(planted(sandbox, '{"ipBlock":{"cidr":"10.20.0.128/26"}}', pods), 'name":"ingress"', 'name":"traefik"');
    expect(arrowProblems(moved)).toEqual([]);
  });
});
