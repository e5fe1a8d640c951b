import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Blobs } from '@parcelway/blobs/blobs';
import type { Environ } from '../config.ts';
import { readInstallation, readObjectStore } from '../distributed-config.ts';
import { describeMs } from './amounts.ts';
import { type Check, type Report, reasonOf, Verdict } from './check.ts';
import { reportClock } from './clock-findings.ts';
import { readFor } from './configuration.ts';

const ASK_MS = 4000;
const SLOW_MS = 1000;
const CONTENT = 'parcelctl doctor';

/** Sends a request without credentials: any response shows that the store runs, and its clock. */
async function checkAddress(report: Report, url: string): Promise<void> {
  const askedAt = Date.now();
  let response: Response;
  try {
    response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
  } catch (error) {
    throw new Verdict(
      'object store',
      `does not respond: ${reasonOf(error)}`,
      'Check that it runs and that S3_ENDPOINT can be reached from here. Until then uploads respond with 42207; everything else works.',
    );
  }
  report.ok('object store', 'reachable');
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds.
  if (!Number.isNaN(date)) reportClock(report, 'object store clock', Math.abs(date - askedAt) < 1500 ? 0 : date - askedAt);
}

function nextFor(reason: string, bucket: string): string {
  if (/does not exist|NoSuchBucket/.test(reason))
    return 'Run the migrate step (npm run migrate), which creates it. If your bucket has another name, check S3_BUCKET and RESOURCE_PREFIX.';
  if (/region/i.test(reason)) return 'Set S3_REGION to the region of the bucket.';
  if (/InvalidAccessKeyId|SignatureDoesNotMatch/.test(reason)) return 'Check S3_ACCESS_KEY and S3_SECRET_KEY.';
  if (/AccessDenied/.test(reason))
    return `Check S3_ACCESS_KEY and S3_SECRET_KEY; the key needs ListBucket, GetObject, PutObject and DeleteObject on ${bucket}.`;
  if (/clocks/.test(reason)) return 'Synchronize the clocks of this machine and the store with NTP.';
  return 'Fix what the message names.';
}

async function checkProbe(report: Report, blobs: Blobs, bucket: string): Promise<void> {
  const key = `doctor/${randomUUID()}`;
  let doing = 'written';
  const startedAt = performance.now();
  try {
    await blobs.put(key, Readable.from([CONTENT]), 'text/plain');
    doing = 'read back';
    const opened = await blobs.open(key);
    const content = opened && (await text(opened));
    if (content !== CONTENT) throw new Error('the content read differs from the content written');
    doing = 'deleted';
    await blobs.delete(key);
  } catch (error) {
    const reason = reasonOf(error);
    report.wrong('object store probe', `an object could not be ${doing}: ${reason}`, nextFor(reason, bucket));
    return;
  }
  const ms = performance.now() - startedAt;
  const message = `an object was written, read and deleted in ${describeMs(ms)}`;
  if (ms < SLOW_MS) report.ok('object store probe', message);
  else report.warning('object store probe', message, 'Uploads must finish within 3 s: find what slows down the store or the network.');
}

const loadDriver = () => import('@parcelway/blobs/minio-driver');

/** Checks the object store: reachable, credentials, the bucket, and that an object can be written, read and deleted. */
export function checkObjectStore(env: Environ): Check {
  return {
    name: 'object store',
    deadlineMs: 20_000,
    load: loadDriver,
    async run(report) {
      const names = ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];
      const config = readFor(env, readObjectStore, report, { check: 'object store', names, whose: 'file', optional: true });
      if (config === undefined) return;
      const { bucket = readInstallation(env).resourcePrefix, ...store } = config;
      await checkAddress(report, config.url);
      const { openMinioBlobs } = await loadDriver();
      const blobs = openMinioBlobs({ ...store, bucket });
      try {
        await blobs.check().catch((error: unknown) => {
          const reason = reasonOf(error);
          throw new Verdict('object store bucket', `${bucket} cannot be used: ${reason}`, nextFor(reason, bucket));
        });
        report.ok('object store bucket', `${bucket} exists`);
        await checkProbe(report, blobs, bucket);
      } finally {
        await blobs.close();
      }
    },
  };
}
