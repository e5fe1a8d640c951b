import Type from 'typebox';
import { instant, nullable } from './text.ts';

/*
 * Data of the events by which stored data ends: the gateway says how long a tenant's data is kept, and the forecast service says
 * that the time of a forecast, or of its files, is over.
 */

/** Most files of one kind that an event names; a forecast has far fewer. */
export const MAX_FILES_IN_EVENT = 10_000;

/** Tokens of files. One is 22 characters, and names what a URL of the file service opens. */
export const fileTokens = (description: string) =>
  Type.Array(Type.String({ maxLength: 22 }), { maxItems: MAX_FILES_IN_EVENT, description });

const ended = {
  forecast_no: Type.String(),
  po_number: Type.String(),
  expired_at: instant('End of the retention'),
  files: fileTokens('Tokens of the uploaded PDFs that the forecast names'),
  photos: fileTokens('Tokens of the photos that the warehouse reported'),
};

/** A forecast that has been deleted; whatever belongs to it follows. */
export const ForecastExpired = Type.Object(ended);
/** A forecast that stays, while its PDFs and photos go. */
export const ForecastFilesExpired = Type.Object(ended);

const days = (description: string) => nullable(Type.Integer({ minimum: 1, maximum: 3650, description }));

/** How long data of a tenant is kept. Days are null where the time of the installation applies. */
export const TenantRetentionChanged = Type.Object({
  tenant_id: Type.String(),
  version: Type.Integer({ minimum: 1, description: 'Begins at 1 and rises with each change' }),
  forecast_days: days('Days that forecasts are kept after their end'),
  file_days: days('Days that PDFs and photos are kept after the end of their forecast'),
  changed_at: instant('Change of the retention'),
});
