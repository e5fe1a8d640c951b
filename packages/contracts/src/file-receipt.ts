import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import type { EventPhoto } from './domain-events.ts';
import type { Environment } from './environment.ts';
import { decodeFindings, encodeFindings, type FileFindings } from './file-findings.ts';

/*
 * Tokens in URLs that expire. The token of a file opens it for ever, so a URL that expires must not show it: it has the token encrypted instead,
 * under a key of the expiry. Whoever changes the expiry in such a URL gets the token of no file. So nothing has to be compared when a URL is opened,
 * under whatever base address it was made.
 */

const SECOND_MS = 1000;

/** An expiry as a URL has it: seconds since 1970 in base 36. @param expiresAt epoch milliseconds, rounded up */
function expiryInUrl(expiresAt: number): string {
  return Math.ceil(expiresAt / SECOND_MS).toString(36);
}

/** Epoch milliseconds of an expiry in a URL. */
function expiryInName(expiry: string): number {
  return Number.parseInt(expiry, 36) * SECOND_MS;
}

const keyOf = (secret: string, expiry: string): Buffer => createHmac('sha256', secret).update(`expiring file token\n${expiry}`).digest();

/** A token, 16 bytes in base64url, encrypted for a URL with this expiry; as long as the token. One block, so the mode of the cipher is of no matter. */
function sealToken(secret: string, token: string, expiry: string): string {
  const cipher = createCipheriv('aes-256-ecb', keyOf(secret, expiry), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.from(token, 'base64url')), cipher.final()]).toString('base64url');
}

/** The token in what {@link sealToken} made; the token of no file when it did not make it. */
function openToken(secret: string, sealed: string, expiry: string): string {
  const decipher = createDecipheriv('aes-256-ecb', keyOf(secret, expiry), null).setAutoPadding(false);
  return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString('base64url');
}

/*
 * Receipts of the file service. A file URL and a photo_id carry a signature, so that the forecast and intake services
 * can verify by themselves that the file service issued them, to whom and for what: no call, no shared database, and a
 * submission does not depend on the file service being up. A valid receipt means a file that was stored; it is kept as
 * long as a forecast names it, and for as long as the operator keeps forecasts.
 */

/** The secret of an installation, or, while it is being changed, the current one and the other one. */
export type AcceptedSecrets = string | readonly string[];

/** Signature of what a receipt says, 22 base64url characters. The first part is its purpose. */
export function sign(secret: string, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(parts.join('\n')).digest().subarray(0, 16).toString('base64url');
}

/** True when two signatures are the same, in a time that does not depend on them. */
export function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Whose file: part of every signature. */
export interface FileOwner {
  readonly tenantId: string;
  readonly environment: Environment;
}

const FILE_URL =
  /^(https?:\/\/[^/]+(?:\/[^?#]*)?)\/files\/(([A-Za-z0-9_-]{22})(?:\.([A-Za-z0-9_-]{1,256}))?(?:~([0-9a-z]{1,9}))?)-([A-Za-z0-9_-]{22})\.pdf$/;

const FILE_NAME = /^([A-Za-z0-9_-]{22})(?:\.[A-Za-z0-9_-]{1,256})?(?:~([0-9a-z]{1,9}))?-[A-Za-z0-9_-]{22}\.pdf$/;

/** What the name of a file in its URL leads to. */
export interface NamedFile {
  /** Of a URL that expires, one by each secret: all but one lead to no file. */
  readonly tokens: readonly string[];
  /** When the URL ends, epoch milliseconds; undefined when it never does. */
  readonly expiresAt: number | undefined;
}

/**
 * The file that a name in a URL leads to, without the address: `<token>-<signature>.pdf`, or `<token>.<findings>-<signature>.pdf` of a file that was
 * inspected; before the hyphen `~<expiry>` when the URL expires. The token alone opens a file, so the name need not be checked further: one with
 * another expiry leads to no file (see {@link sealToken}).
 * @returns undefined when it is no such name
 */
export function readFileName(secrets: AcceptedSecrets, name: string): NamedFile | undefined {
  const [, shown, expiry] = FILE_NAME.exec(name) ?? [];
  if (shown === undefined) return undefined;
  if (expiry === undefined) return { tokens: [shown], expiresAt: undefined };
  return { tokens: [secrets].flat().map((secret) => openToken(secret, shown, expiry)), expiresAt: expiryInName(expiry) };
}

/** What a file URL says, besides which file it opens. */
export interface FileUrlContent {
  /** What the file service found in the file, for those who are given the URL; undefined when it was not inspected. */
  readonly findings?: FileFindings | undefined;
  /** When it ends, epoch milliseconds, rounded up to a second; undefined when it never does. */
  readonly expiresAt?: number | undefined;
}

/** The part of a URL between `/files/` and the signature. */
function signedPart(secret: string, token: string, findings: string | undefined, expiresAt: number | undefined): string {
  const found = findings === undefined ? '' : `.${findings}`;
  if (expiresAt === undefined) return `${token}${found}`;
  const expiry = expiryInUrl(expiresAt);
  return `${sealToken(secret, token, expiry)}${found}~${expiry}`;
}

function urlOf(secret: string, baseUrl: string, owner: FileOwner, signed: string): string {
  return `${baseUrl}/files/${signed}-${sign(secret, ['file', owner.tenantId, owner.environment, baseUrl, signed])}.pdf`;
}

/**
 * URL that opens a PDF without a key.
 * @param token 22 base64url characters from newToken(16), kept with the record
 */
export function fileUrl(
  secret: string,
  baseUrl: string,
  owner: FileOwner,
  token: string,
  { findings, expiresAt }: FileUrlContent = {},
): string {
  return urlOf(secret, baseUrl, owner, signedPart(secret, token, findings && encodeFindings(findings), expiresAt));
}

/** What a file URL says of its file. */
export interface FileReceipt {
  /** Undefined when it was not inspected, or by another version. */
  readonly findings: FileFindings | undefined;
}

interface UrlParts {
  /** By which it is signed. */
  readonly secret: string;
  readonly baseUrl: string;
  readonly shown: string;
  readonly findings: string | undefined;
  readonly expiry: string | undefined;
}

/** The parts of exactly a URL that was made for this owner. */
function partsOf(secrets: AcceptedSecrets, owner: FileOwner, url: string): UrlParts | undefined {
  const match = FILE_URL.exec(url);
  if (!match) return undefined;
  const [, baseUrl = '', signed = '', shown = '', findings, expiry, signature = ''] = match;
  const said = ['file', owner.tenantId, owner.environment, baseUrl, signed];
  const secret = [secrets].flat().find((one) => equal(signature, sign(one, said)));
  return secret === undefined ? undefined : { secret, baseUrl, shown, findings, expiry };
}

/**
 * What `url` says when it is exactly a URL that {@link fileUrl} made for this owner, under whatever base address at the time. A URL that has expired
 * still names its file to the platform: it only opens nothing any more.
 */
export function readFileUrl(secrets: AcceptedSecrets, owner: FileOwner, url: string): FileReceipt | undefined {
  const parts = partsOf(secrets, owner, url);
  return parts && { findings: parts.findings === undefined ? undefined : decodeFindings(parts.findings) };
}

/**
 * A URL of the same file that never expires, for those who work on a forecast that names `url`.
 * @returns `url` itself when it does not expire, or was not made for this owner
 */
export function lastingFileUrl(secrets: AcceptedSecrets, owner: FileOwner, url: string): string {
  const parts = partsOf(secrets, owner, url);
  if (parts?.expiry === undefined) return url;
  const { secret, baseUrl, shown, findings, expiry } = parts;
  return urlOf(secret, baseUrl, owner, signedPart(secret, openToken(secret, shown, expiry), findings, undefined));
}

/** The tokens in a file URL, whoever it was made for, as {@link NamedFile} has them; empty when `url` is no such URL. */
export function fileTokensIn(secrets: AcceptedSecrets, url: string): readonly string[] {
  return (FILE_URL.test(url) && readFileName(secrets, url.slice(url.lastIndexOf('/') + 1))?.tokens) || [];
}

/**
 * As {@link fileTokensIn}, of URLs that do not expire: the token of another is not to be read without the secret. The file service knows which
 * forecasts use which files by itself.
 */
export function fileTokenOf(url: string): string | undefined {
  const [, , , shown, , expiry] = FILE_URL.exec(url) ?? [];
  return expiry === undefined ? shown : undefined;
}

const PHOTO_URL = /\/photos\/([A-Za-z0-9_-]{22})\.[a-z0-9]+$/;

/** The token in the URL of a photo; undefined when `url` is no such URL. */
export function photoTokenOf(url: string): string | undefined {
  return PHOTO_URL.exec(url)?.[1];
}

/** A photo as its receipt describes it. */
export interface PhotoReceipt extends EventPhoto {
  readonly warehouse_code: string;
  readonly environment: Environment;
}

/** Days after its upload in which an image can be put on a forecast. One that is on no forecast is deleted a day later. */
export const IMAGE_USABLE_DAYS = 30;

/** An image of a merchant as its receipt describes it. */
export interface ImageReceipt extends EventPhoto {
  readonly tenant_id: string;
  readonly environment: Environment;
}

/** Ids that carry a signed receipt. A decoder returns undefined for an id that the file service did not issue. */
function receiptIds<R>(prefix: string, purpose: string) {
  const ID = new RegExp(`^${prefix}_([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]{22})$`);
  return {
    encode(secret: string, receipt: R): string {
      const body = Buffer.from(JSON.stringify(receipt)).toString('base64url');
      return `${prefix}_${body}.${sign(secret, [purpose, body])}`;
    },
    decode(secrets: AcceptedSecrets, id: string): R | undefined {
      const [, body, signature] = ID.exec(id) ?? [];
      if (body === undefined || signature === undefined) return undefined;
      if (![secrets].flat().some((secret) => equal(signature, sign(secret, [purpose, body])))) return undefined;
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as R;
    },
  };
}

/** The `photo_id` that a warehouse receives for a stored photo. */
export const { encode: encodePhotoId, decode: decodePhotoId } = receiptIds<PhotoReceipt>('ph', 'photo');

/** The `image_id` that a merchant receives for a stored image. */
export const { encode: encodeImageId, decode: decodeImageId } = receiptIds<ImageReceipt>('im', 'image');

/** A photo as the services store it has an id, a path and a URL; texts of warehouses and merchants cannot pass for one. */
function photoUrlOf(value: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof value['id'] !== 'number') return undefined;
  const url = typeof value['path'] === 'string' ? value['url'] : typeof value['image_path'] === 'string' ? value['image_url'] : undefined;
  return typeof url === 'string' ? url : undefined;
}

function collectPhotos(value: unknown, tokens: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const token = photoTokenOf(photoUrlOf(value as Readonly<Record<string, unknown>>) ?? '');
  if (token !== undefined) tokens.add(token);
  for (const inner of Object.values(value)) collectPhotos(inner, tokens);
}

/** Tokens of the photos anywhere in what a service stores, each once. */
export function photoTokensIn(value: unknown): readonly string[] {
  const tokens = new Set<string>();
  collectPhotos(value, tokens);
  return [...tokens];
}
