import type { Dispatch, Measurement } from '../domain/forecast.ts';
import type { ListPosition } from '../domain/list-cursor.ts';
import type { Walk } from '../domain/list-plan.ts';
import { behindPrefix } from '../domain/list-plan.ts';
import type { ListQuery, ReportedForecast, WalkedForecast } from '../ports.ts';
import { LISTED_FIELDS, type ListedDocument, toListed } from './mongo-forecast-documents.ts';
import { documentId, forecastIndexes } from './mongo-schema.ts';

export interface WalkedDocument extends ListedDocument {
  /** Those of its terms that were asked for; absent when none were. */
  readonly terms_among?: readonly string[];
}

/** A document of a list with more of each forecast. */
export interface ReportedDocument extends WalkedDocument {
  readonly measurement?: Measurement | null;
  readonly dispatch?: Dispatch | null;
}

/** The projection of a part of a list. @param isReport with what an export shows besides */
export function fieldsOf({ terms }: ListQuery, isReport: boolean): object {
  return {
    ...LISTED_FIELDS,
    ...(isReport && { measurement: { $arrayElemAt: ['$progress.measurements', 0] }, dispatch: '$progress.dispatch' }),
    // As a literal, because a term may hold a dollar sign.
    ...(terms.length > 0 && { terms_among: { $setIntersection: ['$terms', { $literal: terms }] } }),
  };
}

const newestFirst = { created_at: -1, forecast_id: -1 } as const;

type Sort = Readonly<Record<string, 1 | -1>>;

/** How a walk is read: the fields that lead to it, the index that has its order, that order, and the field of its instants. */
function sourceOf(
  tenantId: string,
  walk: Walk,
): { readonly within: object; readonly index: string | Sort; readonly sort: Sort; readonly at: string } {
  const created = { sort: newestFirst, at: 'created_at' } as const;
  switch (walk.by) {
    case 'forecast_no':
      return { within: { _id: documentId(tenantId, walk.forecastNo) }, index: { _id: 1 }, sort: { _id: 1 }, at: 'created_at' };
    case 'po_number':
      return { within: { po_number: { $eq: walk.poNumber } }, index: forecastIndexes.newestOfPoNumber, ...created };
    case 'po_prefix':
      return { within: {}, index: forecastIndexes.newestOfPoNumber, sort: { po_number: 1, ...newestFirst }, at: 'created_at' };
    case 'term':
      return { within: { terms: { $eq: walk.term } }, index: forecastIndexes.newestOfTerm, ...created };
    case 'status':
      return { within: { status: { $eq: walk.status } }, index: forecastIndexes.newestOfStatus, ...created };
    case 'change':
      return { within: {}, index: forecastIndexes.changed, sort: { updated_at: -1, forecast_id: -1 }, at: 'updated_at' };
    default:
      return { within: {}, index: forecastIndexes.newest, ...created };
  }
}

function rangeOf(walk: Walk, at: string, after: ListPosition | undefined): object {
  if (walk.by === 'forecast_no' || walk.by === 'po_prefix') return {};
  const range = {
    ...(walk.from !== undefined && { $gte: walk.from }),
    ...(walk.to !== undefined && { $lt: walk.to }),
    ...(after !== undefined && { $lte: after.at }),
  };
  return {
    ...(Object.keys(range).length > 0 && { [at]: range }),
    ...(after !== undefined && { $or: [{ [at]: { $lt: after.at } }, { forecast_id: { $lt: after.forecastId } }] }),
  };
}

/** The po_numbers of a prefix, from that of a position on; of those of the position what is behind it. */
function prefixOf(prefix: string, after: ListPosition | undefined): object {
  const behind = behindPrefix(prefix);
  const po = { $gte: after?.poNumber ?? prefix, ...(behind !== undefined && { $lt: behind }) };
  if (after === undefined) return { po_number: po };
  const { at, forecastId, poNumber = '' } = after;
  const later = [{ po_number: { $gt: poNumber } }, { created_at: { $lt: at } }, { created_at: at, forecast_id: { $lt: forecastId } }];
  return { po_number: po, $or: later };
}

/** The filter of a part of a list, and the index that has its order, so that it reads little more than what it returns. */
export function listOf(
  tenantId: string,
  { walk, after }: ListQuery,
): { readonly filter: object; readonly index: string | Sort; readonly sort: Sort } {
  const { within, index, sort, at } = sourceOf(tenantId, walk);
  const part = walk.by === 'po_prefix' ? prefixOf(walk.prefix, after) : rangeOf(walk, at, after);
  return { filter: { tenant_id: { $eq: tenantId }, ...within, ...part }, index, sort };
}

export function toWalked(document: WalkedDocument): WalkedForecast {
  return { ...toListed(document), terms: document.terms_among ?? [] };
}

/** A forecast of a list from its document, with what an export shows besides. */
export function toReported(document: ReportedDocument): ReportedForecast {
  return { ...toWalked(document), measurement: document.measurement ?? null, dispatch: document.dispatch ?? null };
}
