import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import type { CanonicalForecast, ForecastType } from './domain/canonical.ts';
import type { Correction } from './domain/correction.ts';
import type { Progress, ReceivedItem } from './domain/forecast.ts';
import type { AppliedMark } from './domain/known-forecast.ts';

const time = Type.Integer();
const json = <T extends object>() => Type.Optional(Type.Unsafe<T>({ type: 'object' }));
const list = <T>() => Type.Optional(Type.Unsafe<readonly T[]>({ type: 'array' }));
const texts = Type.Optional(Type.Array(Type.String()));

/** Forecasts, each with everything that must change together with it. Times in epoch milliseconds. */
export const forecasts = collection(
  'forecasts',
  Type.Object(
    {
      tenantId: Type.String(),
      forecastNo: Type.String(),
      forecastId: Type.Integer(),
      poNumber: Type.String(),
      /** Among the forecasts of its po_number, the newest first: see forecast-documents. */
      turn: Type.Integer(),
      forecastType: Type.Unsafe<ForecastType>({ type: 'integer' }),
      warehouseCode: Type.String(),
      dueDate: Type.Union([Type.String(), Type.Null()]),
      itemCount: Type.Integer(),
      contentVersion: Type.Integer(),
      status: Type.Unsafe<ForecastStatus>({ type: 'integer' }),
      contentHash: Type.String(),
      createdAt: time,
      updatedAt: time,
      /** The last change of one that is completed or cancelled. */
      endedAt: Type.Optional(time),
      /** The same, until its files have expired. */
      filesSince: Type.Optional(time),
      hasException: Type.Boolean(),
      onHold: Type.Boolean(),
      /** Numbers under which its parcels were scanned, the latest. Who submits such a number is warned, of whatever tenant. */
      scanned: texts,
      progress: json<Progress>(),
      content: json<CanonicalForecast>(),
      /** Oldest first; absent until the first. */
      corrections: list<Correction>(),
      /** Pieces that the warehouse counted; absent until it has. */
      receivedItems: list<ReceivedItem>(),
      /** Numbers that no other live type 2 forecast of the tenant may have; absent when there are none. */
      claims: texts,
      /** What it is found by: see search-terms. */
      terms: texts,
      /** Events that were applied, the latest, oldest first. */
      applied: list<AppliedMark>(),
    },
    { additionalProperties: false },
  ),
  {
    describe: 'Forecasts with their content, status, measurements and photos',
    key: ['tenantId', 'forecastNo'],
    unique: { po: ['tenantId', 'poNumber', 'turn'], claims: ['tenantId', { each: 'claims' }] },
    lists: {
      newest: ['tenantId', '-createdAt', '-forecastId'],
      status: ['tenantId', 'status', '-createdAt', '-forecastId'],
      term: ['tenantId', { each: 'terms' }, '-createdAt', '-forecastId'],
      changed: ['tenantId', '-updatedAt', '-forecastId'],
      ended: ['tenantId', 'endedAt'],
      files: ['tenantId', 'filesSince'],
      // Over all tenants.
      scanned: ['warehouseCode', { each: 'scanned' }],
    },
    // A list reads hundreds of forecasts, and a change of status writes none of these but the progress.
    heavy: ['progress', 'content', 'corrections', 'receivedItems', 'claims', 'terms', 'applied'],
    hasMessages: true,
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: '`FORECASTS_KEPT` after it was completed or cancelled, or as its tenant has chosen',
  },
);

/** A forecast as it is stored. */
export type ForecastDocument = NonNullable<(typeof forecasts)['document']>;
