import { collection } from '@parcelway/store/collection';
import type { Stored } from '@parcelway/store/store';
import Type, { type Static } from 'typebox';
import type { ContentIdentity } from '../domain/stored-file.ts';

const closed = { additionalProperties: false } as const;
const digest = { md5: Type.String(), sha256: Type.String(), size: Type.Integer(), uploadedAt: Type.Integer() };

const schema = Type.Object(
  {
    /** Tenant id of a PDF, of documents or of a tenant's own image, warehouse code of any other photo. */
    ownerId: Type.String(),
    storageKey: Type.String(),
    /** Only of what has no record: start of the upload, {@link ABANDONED} once it can no longer be recorded. */
    sweepFrom: Type.Optional(Type.Integer()),
    /** Of PDFs and photos. */
    token: Type.Optional(Type.String()),
    pdf: Type.Optional(
      // `findings`: JSON of what an inspection found; absent from what was not inspected.
      Type.Object({ ...digest, name: Type.String(), findings: Type.Optional(Type.String()) }, closed),
    ),
    /** Number of a PDF, as tenants see it. */
    attachmentId: Type.Optional(Type.Integer()),
    /** Of a PDF that its tenant has not deleted: when it was uploaded. */
    shownAt: Type.Optional(Type.Integer()),
    /** Of a PDF that is shown: 1 while a forecast names it, otherwise 0. */
    useRank: Type.Optional(Type.Integer()),
    /** Of a PDF that is shown: what no other of its tenant has. One that was deleted, uploaded again and brought back has none. */
    digestOf: Type.Optional(Type.String()),
    photo: Type.Optional(Type.Object({ ...digest, photoId: Type.Integer(), mediaType: Type.String() }, closed)),
    /** Of what tenants have stored: their shown PDFs, their own images. */
    stored: Type.Optional(Type.Union([Type.Literal('pdf'), Type.Literal('image')])),
    /** Of a PDF that no forecast uses any more, or that was deleted, and of an own image that no forecast has. */
    unusedSince: Type.Optional(Type.Integer()),
    /** Of the documents of a forecast, from here on. */
    forecastNo: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer()),
    sections: Type.Optional(
      Type.Object(
        {
          labelEnd: Type.Integer(),
          copiesEnd: Type.Union([Type.Integer(), Type.Null()]),
          slipStart: Type.Integer(),
          size: Type.Integer(),
          generatedAt: Type.Integer(),
        },
        closed,
      ),
    ),
  },
  closed,
);

/**
 * A content, from before it can exist. While it is pending or abandoned it has `sweepFrom`; once recorded it has all the rest instead: one write turns the
 * one into the other, so no other document has to agree.
 */
export type Content = Static<typeof schema>;

export const contents = collection('contents', schema, {
  describe: 'PDFs of tenants, photos and own images, labels and packing slips: where their contents are, and what is known of them',
  key: ['ownerId', 'storageKey'],
  unique: { digest: ['ownerId', 'digestOf'], documents: ['ownerId', 'forecastNo', 'version'] },
  lists: {
    // Not by owner: a token is an unguessable capability that opens a content for whoever knows it.
    token: ['token'],
    attachment: ['ownerId', 'attachmentId'],
    shown: ['ownerId', '-shownAt'],
    shownByUse: ['ownerId', 'useRank', '-shownAt'],
    stored: ['ownerId', 'stored'],
    // Over all owners: the sweep is the platform's own work.
    unused: ['unusedSince'],
  },
  queues: { sweep: { due: 'sweepFrom' } },
  tenant: 'ownerId',
  shard: 'ownerId',
  ends: 'a day after the last forecast that uses it, or after its deletion',
});

/** Before every instant: what is abandoned is swept at any age. */
export const ABANDONED = -1;

/** A pending content as its upload has written it. Whoever writes onto it finds it neither recorded nor abandoned. */
export function pendingContent(ownerId: string, storageKey: string): Stored<Content> {
  return { value: { ownerId, storageKey, sweepFrom: 0 }, version: 1 };
}

/** Turns a record into a content that the sweep removes; no URL and no list finds it any more. */
export const ENDED: Partial<Content> = {
  sweepFrom: ABANDONED,
  token: undefined,
  pdf: undefined,
  attachmentId: undefined,
  shownAt: undefined,
  useRank: undefined,
  digestOf: undefined,
  photo: undefined,
  stored: undefined,
  unusedSince: undefined,
  forecastNo: undefined,
  version: undefined,
  sections: undefined,
};

/** Turns a PDF into one that its tenant has deleted. */
export const HIDDEN: Partial<Content> = { shownAt: undefined, useRank: undefined, digestOf: undefined, stored: undefined };

/** By what a PDF is found when the same content is uploaded again. */
export const digestOf = ({ md5, sha256 }: ContentIdentity): string => `${md5} ${sha256}`;
