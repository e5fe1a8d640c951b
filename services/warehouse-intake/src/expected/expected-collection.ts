import { collection } from '@parcelway/store/collection';
import type { Stored } from '@parcelway/store/store';
import Type from 'typebox';
import type { ViewForecast, ViewItem } from './domain/forecast-copy.ts';

const text = Type.String();
const optionalText = Type.Optional(text);
const optionalInteger = Type.Optional(Type.Integer());
const closed = { additionalProperties: false } as const;
const claims = Type.Optional(Type.Array(Type.Object({ number: text, by: text }, closed)));
/** Of whatever form: read and written as a whole. */
const whole = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

/** Forecasts that warehouses expect: what their reports are matched with, and what they are shown. */
export const expected = collection(
  'expected',
  Type.Object(
    {
      forecastNo: text,
      /** Empty; else the former warehouse that is shown where the forecast was (domain/seen-by-warehouse). */
      place: text,
      /** Absent while only a cancellation is known. */
      tenantId: optionalText,
      /* What reports are matched with (domain/directory). Without a version, only the rest is known. */
      version: optionalInteger,
      environment: Type.Optional(Type.Union([Type.Literal('sandbox'), Type.Literal('production')])),
      warehouseCode: optionalText,
      forecastType: optionalInteger,
      /** What leads to the forecast at that warehouse: numbers, and what was claimed for it, as claimLead and aliasLead (directory-store) make them. */
      leads: Type.Optional(Type.Array(text)),
      claimed: Type.Optional(Type.Array(text)),
      assigned: claims,
      aliases: claims,
      released: Type.Optional(Type.Array(Type.Object({ warehouseCode: text, number: text }, closed))),
      cancelledAt: optionalInteger,
      finishedAt: optionalInteger,
      /* What warehouses are shown (domain/forecast-copy). */
      shownAt: optionalText,
      status: optionalInteger,
      dueDate: optionalText,
      /** Place in the order of changes: epoch microseconds. */
      stamp: optionalInteger,
      /** What a scan finds it by, behind `0 ` while the parcel is expected or present, else behind `1 `. */
      keys: Type.Optional(Type.Array(text)),
      /** Size of what is shown with the items, as of the last that came. */
      bytes: optionalInteger,
      shown: whole,
      items: whole,
      /** Since when it is kept for a while only, epoch milliseconds. */
      closedAt: optionalInteger,
    },
    closed,
  ),
  {
    describe: 'Forecasts that warehouses expect, with what their reports are matched by and what they are shown',
    key: ['forecastNo', 'place'],
    lists: {
      forecast: ['forecastNo'],
      leads: ['warehouseCode', { each: 'leads' }],
      status: ['shownAt', 'status', '-stamp'],
      tenant_status: ['shownAt', 'tenantId', 'status', '-stamp'],
      due: ['shownAt', 'dueDate', 'status', '-stamp'],
      tenant_due: ['shownAt', 'tenantId', 'dueDate', 'status', '-stamp'],
      keys: ['shownAt', { each: 'keys' }],
      // Over all warehouses: the end of the keeping, and the data of a tenant.
      closed: ['closedAt'],
      tenant: ['tenantId', 'place'],
    },
    heavy: ['keys', 'shown', 'items'],
    hasMessages: true,
    tenant: 'tenantId',
    shard: 'forecastNo',
    ends: '`INTAKE_RETENTION_DAYS` after it left, was cancelled or went to another warehouse; with its forecast',
  },
);

export type Expected = NonNullable<(typeof expected)['document']>;

export type StoredExpected = Stored<Expected>;

export type ExpectedKey = readonly [forecastNo: string, place: string];

/** Names what is known of a forecast where it is. */
export const keyOf = (forecastNo: string): ExpectedKey => [forecastNo, ''];

/** What warehouses are shown of a forecast that was read with it; undefined while there is nothing. */
export const shownIn = ({ value }: StoredExpected): ViewForecast | undefined => value.shown as ViewForecast | undefined;

/** The items of a forecast that was read with them. */
export const itemsIn = ({ value }: StoredExpected): readonly ViewItem[] => (value.items?.['items'] ?? []) as readonly ViewItem[];
