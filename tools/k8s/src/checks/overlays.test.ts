import { describe, expect, test } from '@jest/globals';
import { environments, variants } from '../variants.ts';
import { arrowProblems } from './check-arrows.ts';
import { environmentProblems } from './check-environment.ts';
import { podProblems } from './check-pods.ts';
import { scalingProblems } from './check-scaling.ts';
import { insideProblems, separationProblems } from './check-separation.ts';
import { bodySizeProblems, serverPortProblems } from './check-servers.ts';
import { readManifests } from './manifests.ts';

/* Runs every check on every overlay in k8s/overlays. The other tests show that the checks find faults. */

describe.each(variants)('$name', ({ name, overlay }) => {
  test.each([
    ['every container gets the variables that it reads, and no more', environmentProblems],
    ['ends, memory and rights of pods are sound', podProblems],
    ['NetworkPolicies allow exactly the arrows of the design', arrowProblems],
    ['ports of servers are those that policies let pods reach', serverPortProblems],
    ['the Ingress takes every upload that the gateway takes', bodySizeProblems],
    ['each service is scaled by one autoscaler, within the partitions', scalingProblems],
    // The one for trying has no Ingress controller, and another address.
    ...(environments.includes(overlay) ? [['the environment is one', insideProblems] as const] : []),
  ] as const)('%s', (_what, problemsOf) => {
    expect(problemsOf(readManifests(name))).toEqual([]);
  });
});

const pairs = environments.flatMap((one, index) => environments.slice(index + 1).map((other) => [one, other] as const));

describe.each(pairs)('%s and %s in one cluster', (one, other) => {
  test.each(['', '-with-all'])('share nothing%s', (ending) => {
    expect(separationProblems(readManifests(`${one}${ending}`), readManifests(`${other}${ending}`))).toEqual([]);
  });
});
