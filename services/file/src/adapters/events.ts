import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Prerendering } from '../documents/prerendering.ts';
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
  /** Renders the documents of each version; undefined: they are rendered when somebody opens them. */
  readonly prerendering: Pick<Prerendering, 'add'> | undefined;
}

type ContentEvent = DomainEvent<'forecast.accepted'> | DomainEvent<'forecast.corrected'>;

/** Follows what accepted and corrected forecasts name. No partition waits for a rendering. */
export function createEventHandlers({ fileSecrets, noteUses, prerendering }: EventHandlersOptions): EventHandlers {
  const follow = async ({ tenantid: tenantId, data }: ContentEvent): Promise<void> => {
    await noteUses(namedFiles(fileSecrets, tenantId, data));
    prerendering?.add({ tenantId, forecastNo: data.forecast_no, version: data.version });
  };
  return { 'forecast.accepted': follow, 'forecast.corrected': follow };
}
