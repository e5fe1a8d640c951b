// What the services keep, read from the declarations of their collections.

import { fileCollections } from '@parcelway/service-file/collections';
import { forecastCollections } from '@parcelway/service-forecast/collections';
import { gatewayCollections } from '@parcelway/service-gateway/collections';
import { trackingCollections } from '@parcelway/service-tracking/collections';
import { intakeCollections } from '@parcelway/service-warehouse-intake/collections';
import type { Collection } from '@parcelway/store/collection';
import { code, table } from './markdown.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** All that is kept, by service. */
export const storedCollections: Readonly<Record<string, readonly Collection[]>> = {
  gateway: gatewayCollections,
  forecast: forecastCollections,
  file: fileCollections,
  'warehouse-intake': intakeCollections,
  tracking: trackingCollections,
};

function spanOf(ms: number): string {
  if (ms === 0) return 'until its messages are published';
  const [count, unit] = ms >= DAY_MS ? [ms / DAY_MS, 'day'] : [ms / HOUR_MS, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function keptOf({ ends }: Collection): string {
  if (ends === 'never') return 'for ever';
  if (typeof ends === 'string') return ends;
  return ends
    .map(({ keptMs, within = [] }) => `${spanOf(keptMs)}${within.length > 0 ? ` (${within.map(code).join(', ')})` : ''}`)
    .join(', ');
}

/** Collections with what they hold, how long it is kept, and whether the export of a tenant has it. */
export const storedDataTable = (): string =>
  table(
    ['Collection', 'Holds', 'Kept', 'In the export of a tenant'],
    Object.entries(storedCollections).flatMap(([service, collections]) =>
      collections.map((one) => [
        code(`${service}.${one.name}`),
        one.describe,
        keptOf(one),
        typeof one.tenant === 'object' ? '' : typeof one.copy === 'string' ? `no: ${one.copy}` : 'yes',
      ]),
    ),
  );
