import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { mongo } from 'mongoose';
import { contents } from '../../adapters/mongo-schema.ts';
import { CANCELLED_VERSION, type NamedFiles } from '../ports.ts';
import { fileUses } from './mongo-retention-schema.ts';

/*
 * Which forecasts name which PDFs, in MongoDB. Each step may be repeated. A use is written before what follows from it is written at the PDF; whoever
 * hides a PDF does that first, and looks for uses after that: one sees the other.
 */

/** The token of what a forecast has in the place of a use when it has none: that a version of it, or its cancellation, was noted. */
const NO_FILE = '';

/** Of uses: those by which a forecast names a PDF now. Former versions did not write it down. */
export const CURRENT = { is_former: { $in: [false, null] } };

/** Others may change the uses meanwhile, each of them looks again: the last of them is right. */
const MAX_LOOKS = 10;

const useFilter = (tenantId: string, forecastNo: string, token: string) => ({ tenant_id: tenantId, token, forecast_no: forecastNo });

/** True when a forecast names the PDF now. */
export async function isNamed(db: MongoDatabase, tenantId: string, token: string): Promise<boolean> {
  const filter = { tenant_id: tenantId, token, ...CURRENT };
  return (await db.model(fileUses).collection.findOne(filter as object, { projection: { _id: 1 }, hint: 'current' })) !== null;
}

/** Writes down at a PDF whether a forecast names it, until that is still so afterwards. */
export async function settleUse(db: MongoDatabase, tenantId: string, token: string): Promise<void> {
  let isUsed = await isNamed(db, tenantId, token);
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    await db.model(contents).collection.updateOne({ token, owner_id: tenantId, recorded: 'pdf' }, { $set: { is_used: isUsed } });
    const isUsedNow = await isNamed(db, tenantId, token);
    if (isUsedNow === isUsed) return;
    isUsed = isUsedNow;
  }
}

/** Shows a PDF again that was hidden. When its content was uploaded again meanwhile, that upload stays the one that is found. */
async function showFile(db: MongoDatabase, { _id, sha256, token }: mongo.WithId<mongo.Document>): Promise<void> {
  const collection = db.model(contents).collection;
  const shown = { $set: { recorded: 'pdf', is_used: true }, $unset: { unused_since: '' } } as const;
  try {
    await collection.updateOne({ _id, recorded: 'hidden' }, shown);
  } catch (error) {
    if (!isDuplicateKey(error, 'pdf_of_digests')) throw error;
    const renamed = { ...shown, $set: { ...shown.$set, sha256: `${String(sha256)} ${String(token)}` } };
    await collection.updateOne({ _id, recorded: 'hidden' }, renamed);
  }
}

/** Writes down at PDFs that a forecast names them, and shows those again that were hidden. */
export async function showNamed(db: MongoDatabase, tenantId: string, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return;
  const collection = db.model(contents).collection;
  const filter = { token: { $in: [...tokens] }, owner_id: tenantId, recorded: { $in: ['pdf', 'hidden'] } } as const;
  const projection = { recorded: 1, is_used: 1, sha256: 1, token: 1 } as const;
  const found = await collection.find(filter, { projection }).toArray();
  for (const document of found) {
    if (document['recorded'] === 'hidden') await showFile(db, document);
    else if (document['is_used'] !== true) await settleUse(db, tenantId, String(document['token']));
  }
}

interface KnownUse {
  readonly token: string;
  readonly version: number;
  readonly isCurrent: boolean;
}

async function usesOf(db: MongoDatabase, tenantId: string, forecastNo: string): Promise<readonly KnownUse[]> {
  const filter = { tenant_id: tenantId, forecast_no: forecastNo };
  const projection = { _id: 0, token: 1, version: 1, is_former: 1 } as const;
  const found = await db.model(fileUses).collection.find(filter, { projection, hint: 'by_forecast' }).toArray();
  return found.map(({ token, version, is_former }) => ({
    token: String(token),
    version: Number(version ?? 0),
    isCurrent: is_former !== true,
  }));
}

/** Uses that do not name their PDFs, unless they are there already. */
async function addFormer(db: MongoDatabase, { tenantId, forecastNo }: NamedFiles, tokens: readonly string[], version: number) {
  const upserts = tokens.map((token) => {
    const filter = useFilter(tenantId, forecastNo, token);
    return { updateOne: { filter, update: { $setOnInsert: { ...filter, version, is_former: true } }, upsert: true } };
  });
  if (upserts.length > 0) await db.model(fileUses).collection.bulkWrite(upserts, { ordered: false });
}

/** See FileRetention.noteUses, but for a forecast that was deleted. */
export async function noteUses(db: MongoDatabase, named: NamedFiles): Promise<void> {
  const { tenantId, forecastNo, poNumber, version, files } = named;
  const tokens = files.map(({ token }) => token);
  const known = await usesOf(db, tenantId, forecastNo);
  const noted = Math.max(0, ...known.map((use) => use.version));
  if (version < noted) return addFormer(db, named, tokens, noted);
  if (known.length === 0 && files.length === 0) return version > 1 ? addFormer(db, named, [NO_FILE], version) : undefined;
  const others = { tenant_id: tenantId, forecast_no: forecastNo, token: { $nin: tokens } };
  const end = { updateMany: { filter: others, update: { $set: { is_former: true, version }, $unset: { fields: '' as const } } } };
  const puts = files.map(({ token, fields }) => {
    const set = { po_number: poNumber, fields: [...fields], version, is_former: false };
    return { updateOne: { filter: useFilter(tenantId, forecastNo, token), update: { $set: set }, upsert: true } };
  });
  await db.model(fileUses).collection.bulkWrite([...(known.length > 0 ? [end] : []), ...puts] as never, { ordered: false });
  await showNamed(db, tenantId, tokens);
  // Also those that an earlier attempt at this version has ended.
  for (const { token } of known) if (!tokens.includes(token) && token !== NO_FILE) await settleUse(db, tenantId, token);
}

/** See FileRetention.noteCancelled, but for a forecast that was deleted. */
export async function noteCancelled(db: MongoDatabase, tenantId: string, forecastNo: string): Promise<void> {
  const filter = { tenant_id: tenantId, forecast_no: forecastNo };
  const known = await usesOf(db, tenantId, forecastNo);
  const ended = { is_former: true, version: CANCELLED_VERSION };
  if (known.length > 0) await db.model(fileUses).collection.updateMany(filter, { $set: ended, $unset: { fields: '' } } as object);
  else await db.model(fileUses).collection.updateOne(useFilter(tenantId, forecastNo, NO_FILE), { $set: ended }, { upsert: true });
  for (const { token } of known) if (token !== NO_FILE) await settleUse(db, tenantId, token);
}
