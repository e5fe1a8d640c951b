import type { Readable } from 'node:stream';
import type { AppError } from '@parcelway/kernel/app-error';
import type { ContentDigest } from './domain/stored-file.ts';
import type { FileKind } from './uploads/domain/accepted-file-type.ts';

/** A file on its way in, recognised, not yet received to its end. */
export interface IncomingFile {
  readonly name: string;
  readonly kind: FileKind;
  /** The content. It ends only once all of the upload has proved well-formed; it fails with an AppError otherwise. */
  readonly content: Readable;
  /** Why the upload was refused, once it was: what `content` failed with. */
  readonly refusal: AppError | undefined;
  /** Text fields of the form that have a meaning, by their names; complete after the content has ended. */
  readonly fields: ReadonlyMap<string, string>;
  /** Size and digests; after the content has ended. */
  digest(): ContentDigest;
  /** All of the content in pieces, after it has ended; undefined when there was no room to keep it. */
  kept(): readonly Buffer[] | undefined;
  /** Registers what must be done after the last byte and before the content ends; its failure fails the content. */
  beforeEnd(check: (digest: ContentDigest) => Promise<void>): void;
}

/** Runs when the whole content is known, before anything is stored; its failure cancels the upload. */
export type ClaimUpload = (digest: ContentDigest) => Promise<void>;
