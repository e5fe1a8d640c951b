import { fillDisk } from '@parcelway/harness/full-disk';
import type { Fault, FaultStage, Findings } from './fault.ts';
import { PROXIED } from './fault-servers.ts';
import { probeThrough } from './probe-through.ts';
import { improperUploads, UploadProbe } from './upload-probe.ts';

const UPLOADS_PER_SECOND = 5;

/** What uploads are to meet while it is broken. */
interface StoreBreakage {
  readonly forMs: number;
  readonly strike: () => Promise<() => Promise<void>>;
  /** False when the store is only slow, so that uploads may all succeed. */
  readonly refuses: boolean;
}

/** Breaks the object store under uploads, and under submissions that need none. */
async function withoutObjects(stage: FaultStage, { refuses, ...breakage }: StoreBreakage): Promise<Findings> {
  const probe = new UploadProbe(stage, UPLOADS_PER_SECOND);
  const { before, during, violations } = await probeThrough(stage, breakage).finally(() => probe.stop());
  const count = (code: string): number => probe.uploads.filter((upload) => upload.code === code).length;
  const slowest = Math.max(...probe.uploads.map(({ ms }) => ms));
  const all = [...violations, ...new Set(improperUploads(probe.uploads)), ...(await probe.confirm())];
  if (during.refused > 0) all.push(`${during.refused} submissions without files were refused`);
  if (refuses && count('42207') === 0) all.push('no upload was refused: the store was not broken');
  return {
    observed:
      `uploads: stored ${count('0')}, 42207 ${count('42207')}, slowest response ${(slowest / 1000).toFixed(1)} s; all sent again and opened; ` +
      `${during.count} submissions without files, none refused, p99 ${before.p99.toFixed(0)} before and ${during.p99.toFixed(0)} ms during`,
    violations: all,
  };
}

const shared = {
  group: 'Object store',
  expected: 'uploads get 42207 within 3 s and leave no half-made record; sent again they are stored; forecasts without files are accepted',
  servers: 'single',
} as const;
const BROKEN_MS = 8000;

/** What happens to the store of files. */
export const objectStoreFaults: readonly Fault[] = [
  {
    ...shared,
    name: `stopped for ${BROKEN_MS / 1000} s`,
    strike: (stage) =>
      withoutObjects(stage, {
        forMs: BROKEN_MS,
        refuses: true,
        async strike() {
          await stage.servers.act('stop', 's3');
          return () => stage.servers.act('start', 's3');
        },
      }),
  },
  {
    ...shared,
    name: `silent for ${BROKEN_MS / 1000} s (SIGSTOP)`,
    strike: (stage) =>
      withoutObjects(stage, {
        forMs: BROKEN_MS,
        refuses: true,
        async strike() {
          await stage.servers.act('pause', 's3');
          return () => stage.servers.act('resume', 's3');
        },
      }),
  },
  {
    ...shared,
    name: `out of disk for ${BROKEN_MS / 1000} s`,
    strike: (stage) =>
      withoutObjects(stage, {
        forMs: BROKEN_MS,
        refuses: true,
        async strike() {
          const giveBack = fillDisk(await stage.servers.pidOf('s3'));
          return async () => giveBack();
        },
      }),
  },
  {
    ...shared,
    name: `slowed by 400 ms for ${BROKEN_MS / 1000} s`,
    expected: 'uploads are stored or get 42207 within 3 s; forecasts without files are accepted',
    proxied: PROXIED,
    strike: (stage) =>
      withoutObjects(stage, {
        forMs: BROKEN_MS,
        refuses: false,
        strike: () => stage.servers.disturb('s3', { type: 'latency', attributes: { latency: 400 } }),
      }),
  },
  {
    ...shared,
    name: `takes 5 kB a second for ${BROKEN_MS / 1000} s`,
    proxied: PROXIED,
    strike: (stage) =>
      withoutObjects(stage, {
        forMs: BROKEN_MS,
        refuses: true,
        strike: () => stage.servers.disturb('s3', { type: 'bandwidth', stream: 'upstream', attributes: { rate: 5 } }),
      }),
  },
  {
    ...shared,
    name: `responses lost for ${BROKEN_MS / 1000} s`,
    proxied: PROXIED,
    strike: (stage) =>
      withoutObjects(stage, {
        forMs: BROKEN_MS,
        refuses: true,
        strike: () => stage.servers.disturb('s3', { type: 'timeout', attributes: { timeout: 0 } }),
      }),
  },
];
