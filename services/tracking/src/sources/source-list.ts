import { source17Track } from './17track/source.ts';
import { sourceAfterShip } from './aftership/source.ts';
import { sourceDhl } from './dhl/source.ts';
import { sourceEasyPost } from './easypost/source.ts';
import { sourceGeneric } from './generic/source.ts';
import type { TrackingSource } from './source.ts';
import { sourceUps } from './ups/source.ts';
import { sourceYunExpress } from './yunexpress/source.ts';

/** Every vendor that can be connected, by its name. */
export const trackingSources: ReadonlyMap<string, TrackingSource> = new Map(
  [source17Track, sourceEasyPost, sourceAfterShip, sourceUps, sourceDhl, sourceYunExpress, sourceGeneric].map((source) => [
    source.name,
    source,
  ]),
);
