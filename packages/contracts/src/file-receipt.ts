import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventPhoto } from './domain-events.ts';
import type { Environment } from './environment.ts';
import { decodeFindings, encodeFindings, type FileFindings } from './file-findings.ts';

/*
 * Receipts of the file service. A file URL and a photo_id carry a signature, so that the forecast and intake services
 * can verify by themselves that the file service issued them, to whom and for what: no call, no shared database, and a
 * submission does not depend on the file service being up. A valid receipt means a file that was stored; it is kept as
 * long as a forecast names it, and for as long as the operator keeps forecasts.
 */

/** Signature of what a receipt says, 22 base64url characters. The first part is its purpose. */
export function sign(secret: string, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(parts.join('\n')).digest().subarray(0, 16).toString('base64url');
}

function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Whose file: part of every signature. */
export interface FileOwner {
  readonly tenantId: string;
  readonly environment: Environment;
}

const FILE_URL = /^(https?:\/\/[^/]+(?:\/[^?#]*)?)\/files\/([A-Za-z0-9_-]{22}(?:\.([A-Za-z0-9_-]{1,256}))?)-([A-Za-z0-9_-]{22})\.pdf$/;

/**
 * Name of a file in its URL, without the address: `<token>-<signature>.pdf`, or `<token>.<findings>-<signature>.pdf` of a file that was
 * inspected. The token alone opens it.
 */
export const FILE_NAME = /^([A-Za-z0-9_-]{22})(?:\.[A-Za-z0-9_-]{1,256})?-[A-Za-z0-9_-]{22}\.pdf$/;

/**
 * URL that opens a PDF without a key.
 * @param token 22 base64url characters from newToken(16), kept with the record
 * @param findings what the file service found in it, for those who are given the URL; undefined when it was not inspected
 */
export function fileUrl(secret: string, baseUrl: string, owner: FileOwner, token: string, findings?: FileFindings): string {
  const signed = findings === undefined ? token : `${token}.${encodeFindings(findings)}`;
  return `${baseUrl}/files/${signed}-${sign(secret, ['file', owner.tenantId, owner.environment, baseUrl, signed])}.pdf`;
}

/** What a file URL says of its file. */
export interface FileReceipt {
  /** Undefined when it was not inspected, or by another version. */
  readonly findings: FileFindings | undefined;
}

/** What `url` says when it is exactly a URL that {@link fileUrl} made for this owner, under whatever base address at the time. */
export function readFileUrl(secret: string, owner: FileOwner, url: string): FileReceipt | undefined {
  const match = FILE_URL.exec(url);
  if (!match) return undefined;
  const [, baseUrl, signed, findings, signature] = match as unknown as [string, string, string, string | undefined, string];
  if (!equal(signature, sign(secret, ['file', owner.tenantId, owner.environment, baseUrl, signed]))) return undefined;
  return { findings: findings === undefined ? undefined : decodeFindings(findings) };
}

/** The token in a file URL, whoever it was made for; undefined when `url` is no such URL. */
export function fileTokenOf(url: string): string | undefined {
  return FILE_URL.exec(url)?.[2]?.slice(0, 22);
}

const PHOTO_URL = /\/photos\/([A-Za-z0-9_-]{22})\.[a-z0-9]+$/;

/** The token in the URL of a photo; undefined when `url` is no such URL. */
export function photoTokenOf(url: string): string | undefined {
  return PHOTO_URL.exec(url)?.[1];
}

/** True when `url` is exactly a URL that {@link fileUrl} made for this owner, under whatever base address at the time. */
export function isFileUrlOf(secret: string, owner: FileOwner, url: string): boolean {
  return readFileUrl(secret, owner, url) !== undefined;
}

/** A photo as its receipt describes it. */
export interface PhotoReceipt extends EventPhoto {
  readonly warehouse_code: string;
  readonly environment: Environment;
}

/** The `photo_id` that a warehouse receives for a stored photo. */
export function encodePhotoId(secret: string, receipt: PhotoReceipt): string {
  const body = Buffer.from(JSON.stringify(receipt)).toString('base64url');
  return `ph_${body}.${sign(secret, ['photo', body])}`;
}

/** The receipt in a `photo_id`, or undefined when the file service did not issue it. */
export function decodePhotoId(secret: string, photoId: string): PhotoReceipt | undefined {
  const match = /^ph_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/.exec(photoId);
  if (!match) return undefined;
  const [, body, signature] = match as unknown as [string, string, string];
  if (!equal(signature, sign(secret, ['photo', body]))) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as PhotoReceipt;
}
