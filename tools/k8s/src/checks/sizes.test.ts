import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { serviceNames } from '@parcelway/contracts/service-name';
import { readManifests, workloadsOf } from './manifests.ts';

const measured = readFileSync(fileURLToPath(new URL('../../../../docs/performance.md', import.meta.url)), 'utf8');

/** The most memory that a service and the processes that it starts were seen to take, in MiB. */
function peakOf(service: string): number {
  const [, table = ''] = /\n\| Service \| Memory, peak, MiB \|[^\n]*\n([\s\S]*?)\n\n/.exec(measured) ?? [];
  const [, peak] = new RegExp(`^\\| ${service} \\| ([\\d.]+) \\|`, 'm').exec(table) ?? [];
  if (peak === undefined) throw new Error(`docs/performance.md has no peak of ${service}`);
  return Number(peak);
}

const mebibytes = (text = ''): number => Number(/^(\d+)Mi$/.exec(text)?.[1]);

test.each(serviceNames)('%s asks for the memory that it was measured to take, and is allowed twice that', (service) => {
  const workload = workloadsOf(readManifests('production')).find(({ name }) => name === service);
  const { requests, limits } = workload?.pod.containers[0]?.resources ?? {};
  const peak = peakOf(service);
  expect(mebibytes(requests?.['memory'])).toBeGreaterThanOrEqual(peak);
  expect(mebibytes(requests?.['memory'])).toBeLessThanOrEqual(2 * peak);
  expect(mebibytes(limits?.['memory'])).toBeGreaterThanOrEqual(2 * peak);
});
