import type { AppError } from '@parcelway/kernel/app-error';
import { S3Error } from 'minio';
import { storageFailure } from './storage-failure.ts';

/** What an operator should look at, by S3's error code. */
const HINTS: Readonly<Record<string, string>> = {
  AccessDenied: 'the access key is wrong or may not do this',
  AuthorizationHeaderMalformed: 'the region is wrong',
  InvalidAccessKeyId: 'the access key is not known',
  NoSuchBucket: 'the bucket does not exist',
  RequestTimeTooSkewed: 'the clocks differ too much',
  SignatureDoesNotMatch: 'the secret key is wrong',
};

/** True when a call failed because its object is not there. */
export const isMissingObject = (error: unknown): boolean =>
  error instanceof S3Error && ['NoSuchKey', 'NotFound'].includes(error.code ?? '');

/** A failed call as AppError 50301, whose cause says what is wrong. What S3 says beyond its code is left out: it may quote the request. */
export function minioFailure(error: unknown): AppError {
  if (!(error instanceof S3Error)) return storageFailure(error);
  const code = error.code ?? 'an error without a code';
  const hint = HINTS[code];
  return storageFailure(new Error(`The object store responded with ${code}${hint === undefined ? '' : `: ${hint}`}`));
}
