import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Documents } from '../documents.ts';
import { namedFiles } from '../retention/adapters/retention-events.ts';
import type { NamedFiles } from '../retention/ports.ts';

/** Consumer group of the service. */
export const GROUP = 'file';

/** What the handlers need. */
export interface EventHandlersOptions {
  /** By which the URLs of files may be signed. */
  readonly fileSecrets: readonly string[];
  /** Notes which uploaded PDFs a forecast names. */
  readonly noteUses: (named: NamedFiles) => Promise<void>;
  /** Renders the documents of each version at once; undefined: when somebody opens them. */
  readonly documents: Pick<Documents, 'open'> | undefined;
  readonly logger: Logger;
}

type ContentEvent = DomainEvent<'forecast.accepted'> | DomainEvent<'forecast.corrected'>;

/** Follows what accepted and corrected forecasts name. */
export function createEventHandlers({ fileSecrets, noteUses, documents, logger }: EventHandlersOptions): EventHandlers {
  const follow = async ({ tenantid: tenantId, data }: ContentEvent): Promise<void> => {
    await noteUses(namedFiles(fileSecrets, tenantId, data));
    if (documents === undefined) return;
    const { forecast_no: forecastNo, version } = data;
    try {
      await documents.open({ kind: 'label', tenantId, forecastNo, version });
    } catch (error) {
      // What is out is tried again. Of a forecast that was corrected or deleted meanwhile, and of one that cannot be rendered, nothing is.
      if (!(error instanceof AppError) || error.code === '50301') throw error;
      logger.warn({ err: error, tenant_id: tenantId, forecast_no: forecastNo, version }, 'Documents could not be generated at acceptance');
    }
  };
  return { 'forecast.accepted': follow, 'forecast.corrected': follow };
}
