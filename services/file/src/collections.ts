import type { Collection } from '@parcelway/store/collection';
import { numberSeries } from '@parcelway/store/shared/numbers';
import { sharedCollections } from '@parcelway/store/shared/shared-collections';
import { contents } from './contents/contents-collection.ts';
import { forecastFiles } from './retention/forecast-files-collection.ts';
import { photoUses } from './retention/photo-links.ts';

export const fileCollections: readonly Collection[] = [contents, forecastFiles, photoUses, numberSeries, ...sharedCollections];
