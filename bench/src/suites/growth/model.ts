/** Services whose stores grow with the parcels. */
export const SERVICES = ['forecast', 'file', 'warehouse-intake', 'tracking', 'webhook'] as const;

/** Tables and collections with rows of single parcels, by service; a store has some of them. */
export const COPIED_PARTS: ReadonlySet<string> = new Set([
  ...['forecasts', 'forecast_contents', 'forecast_terms', 'tracking_claims', 'applied_events'].map((part) => `forecast/${part}`),
  ...['files', 'photos', 'documents', 'contents', 'file_uses'].map((part) => `file/${part}`),
  ...['events', 'forecasts', 'numbers', 'view_forecasts', 'view_items', 'view_keys'].map((part) => `warehouse-intake/${part}`),
  ...['forecasts', 'shipments', 'nodes', 'parcels'].map((part) => `tracking/${part}`),
  ...['events', 'forecast_sequences', 'deliveries', 'attempts'].map((part) => `webhook/${part}`),
]);

/** Parcels of the model that have been delivered; one more has arrived at the warehouse and is there. */
export const DELIVERED = 3;
/** Parcels of the model, and so of each copy. */
export const PARCELS = DELIVERED + 1;
/** Each so-many-th copy has an event that waits for a forecast. */
export const WAITING_EVERY = 25;
/** Copies follow each other at this distance, so that a million parcels are those of some days. */
export const AGE_STEP_MS = 1_600;

/** Numbers of a parcel, in the order in which they are given to the filler. */
export const NUMBERS_OF_PARCEL = ['forecastNo', 'poNumber', 'inboundNumber', 'outboundNumber'] as const;

/** A parcel as the merchant, the warehouse and the carrier know it. */
export type ParcelNumbers = Readonly<Record<(typeof NUMBERS_OF_PARCEL)[number], string>>;

/** Number of the parcel that the event names which waits. */
export const WAITING_NUMBER = 'GROWXX0000000000';

/** What the filler of stores is asked for. */
export interface FillOrder {
  readonly kind: 'sqlite' | 'mongo';
  /** Directory of the files, or prefix of the databases on the server of MONGODB_URL. */
  readonly place: string;
  readonly copies: number;
  /** Of all parcels of the model, parcel by parcel in the order of {@link NUMBERS_OF_PARCEL}, and {@link WAITING_NUMBER}. */
  readonly numbers: readonly string[];
  readonly ageStepMs: number;
}
