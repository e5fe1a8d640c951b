import { availableParallelism } from 'node:os';
import type { Mode } from '../arguments.ts';

/** What else went on while a run measured. */
export interface Conditions {
  readonly mode: Mode;
  /** Share of all processors that other programs used, 0 to 1. */
  readonly others: number;
  /** Share that the host of a virtual machine gave to others of its guests. */
  readonly stolen: number;
  /** That of the servers; undefined when there are none, or when they are not known and count among the others. */
  readonly servers: number | undefined;
}

/** The machine of a run. */
export function machine(): { readonly node: string; readonly platform: string; readonly arch: string; readonly processors: number } {
  return { node: process.versions.node, platform: process.platform, arch: process.arch, processors: availableParallelism() };
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** Says in what conditions the figures were taken. */
export function describeConditions({ mode, others, stolen, servers }: Conditions): string {
  const { node, platform, arch, processors } = machine();
  const where = `Node ${node}, ${platform} ${arch}, ${processors} processors`;
  const taken = stolen >= 0.005 ? `, ${percent(stolen)} taken by the host of this virtual machine` : '';
  if (mode === 'embedded') return `${where}, ${percent(others)} of them used by other programs${taken} meanwhile.`;
  const who =
    servers === undefined
      ? `${percent(others)} of them used by servers and other programs`
      : `${percent(servers)} of them used by the servers, ${percent(others)} by other programs`;
  return `${where}, ${who}${taken} meanwhile. Servers, load and all services share these processors: replicas compete for the same cores, and more of them can only be faster where cores are left.`;
}
