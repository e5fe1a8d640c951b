import type { FileKind } from '../uploads/domain/accepted-file-type.ts';
import type { PdfFindings } from '../uploads/domain/inspected-pdf.ts';

/** What tenants see of the numbers of files and photos, which run over all tenants: nothing of how many there are. */
export interface ShownNumbers {
  readonly file: (number: number) => number;
  readonly photo: (number: number) => number;
}

/** A PDF as it is about to be recorded. */
export interface NewFile extends ContentDigest {
  readonly storageKey: string;
  /** 22 characters of base64url; opens the file for whoever knows it. */
  readonly token: string;
  /** As uploaded, cleaned and cut. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly uploadedAt: number;
  /** Of the first upload, since its URL has them; undefined when it was not inspected. */
  readonly findings: PdfFindings | undefined;
}

export interface StoredFile extends NewFile {
  readonly id: number;
}

/** A photo as it is about to be recorded. */
export interface NewPhoto extends ContentDigest {
  readonly storageKey: string;
  readonly token: string;
  readonly mediaType: FileKind['mediaType'];
  readonly uploadedAt: number;
}

export interface StoredPhoto extends NewPhoto {
  readonly id: number;
}

/** What was counted while a content passed. */
export interface ContentDigest {
  /** Bytes. */
  readonly size: number;
  /** MD5 in lower-case hex. The public API calls contents with the same MD5 identical. */
  readonly md5: string;
  /** SHA-256 in lower-case hex. Two contents can be made to share an MD5, so that only both digests together identify one. */
  readonly sha256: string;
}

/** What distinguishes a content from every other: two uploads of a tenant are of one content when both digests are the same. */
export type ContentIdentity = Pick<ContentDigest, 'md5' | 'sha256'>;
