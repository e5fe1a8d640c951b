import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Blobs } from '@parcelway/blobs/blobs';
import type { Environ } from '../config.ts';
import { readInstallation, readObjectStore } from '../distributed-config.ts';
import { describeMs } from './amounts.ts';
import { type Check, reasonOf, type Tell, Verdict } from './check.ts';
import { tellOfClock } from './clock-findings.ts';
import { readFor } from './configuration.ts';

const ASK_MS = 4000;
const SLOW_MS = 1000;
const CONTENT = 'parcelctl doctor';

/** Asks without credentials: any response says that it is there, and what time it has. */
async function checkAddress(tell: Tell, url: string): Promise<void> {
  const askedAt = Date.now();
  let response: Response;
  try {
    response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
  } catch (error) {
    throw new Verdict(
      'object store',
      `does not respond: ${reasonOf(error)}`,
      'See that it runs and that S3_ENDPOINT can be reached from here. Until then uploads response 42207; everything else works.',
    );
  }
  tell.ok('object store', 'reachable');
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds.
  if (!Number.isNaN(date)) tellOfClock(tell, 'object store clock', Math.abs(date - askedAt) < 1500 ? 0 : date - askedAt);
}

function nextFor(reason: string, bucket: string): string {
  if (/does not exist|NoSuchBucket/.test(reason))
    return 'Run the migrate step (npm run migrate), which makes it; when it is called otherwise, check S3_BUCKET and RESOURCE_PREFIX.';
  if (/region/i.test(reason)) return 'Set S3_REGION to the region of the bucket.';
  if (/InvalidAccessKeyId|SignatureDoesNotMatch/.test(reason)) return 'Check S3_ACCESS_KEY and S3_SECRET_KEY.';
  if (/AccessDenied/.test(reason))
    return `Check S3_ACCESS_KEY and S3_SECRET_KEY; the key needs ListBucket, GetObject, PutObject and DeleteObject on ${bucket}.`;
  if (/clocks/.test(reason)) return 'Have this machine and the store keep their time by NTP.';
  return 'Mend what it says.';
}

async function checkProbe(tell: Tell, blobs: Blobs, bucket: string): Promise<void> {
  const key = `doctor/${randomUUID()}`;
  let doing = 'written';
  const startedAt = performance.now();
  try {
    await blobs.put(key, Readable.from([CONTENT]), 'text/plain');
    doing = 'read back';
    const opened = await blobs.open(key);
    const content = opened && (await text(opened.stream));
    if (content !== CONTENT) throw new Error('it came back as something else');
    doing = 'deleted';
    await blobs.delete(key);
  } catch (error) {
    const reason = reasonOf(error);
    tell.wrong('object store probe', `an object could not be ${doing}: ${reason}`, nextFor(reason, bucket));
    return;
  }
  const ms = performance.now() - startedAt;
  const message = `an object was written, read and deleted in ${describeMs(ms)}`;
  if (ms < SLOW_MS) tell.ok('object store probe', message);
  else tell.warning('object store probe', message, 'Uploads have to be done within 3 s: see what slows the store or the network.');
}

/** The object store: reachable, credentials, the bucket, and an object there and back. */
export function checkObjectStore(env: Environ): Check {
  return {
    name: 'object store',
    deadlineMs: 20_000,
    async run(tell) {
      const names = ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];
      const config = readFor(env, readObjectStore, tell, { check: 'object store', names, whose: 'file', optional: true });
      if (config === undefined) return;
      const { bucket = readInstallation(env).resourcePrefix, ...store } = config;
      await checkAddress(tell, config.url);
      const { openMinioBlobs } = await import('@parcelway/blobs/minio-driver');
      const blobs = await openMinioBlobs({ ...store, bucket });
      try {
        await blobs.check().catch((error: unknown) => {
          const reason = reasonOf(error);
          throw new Verdict('object store bucket', `${bucket} cannot be used: ${reason}`, nextFor(reason, bucket));
        });
        tell.ok('object store bucket', `${bucket} is there`);
        await checkProbe(tell, blobs, bucket);
      } finally {
        await blobs.close();
      }
    },
  };
}
