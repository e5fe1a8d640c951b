import { failpointAsync } from '@parcelway/kernel/failpoint';
import { type DecideView, decideItems, decideView, eventsWithoutItems, type ReadItems } from './domain/decide-view.ts';
import type { ViewItem } from './domain/forecast-copy.ts';
import type { ViewEvent } from './domain/view-event.ts';
import type { ViewWriter } from './ports.ts';

/** Items of a forecast that are too large for its event. */
export interface ItemSource {
  /**
   * The items of the current version.
   * @throws AppError 50301 when they cannot be read now, 40401 when the forecast is not there
   */
  itemsOf(
    tenantId: string,
    forecastNo: string,
    version: number,
  ): Promise<{ readonly version: number; readonly items: readonly ViewItem[] }>;
}

/** What following the forecasts for the view needs. */
export interface FollowViewOptions {
  readonly view: ViewWriter;
  readonly items: ItemSource;
}

/** An event about a forecast. */
interface ForecastEvent {
  readonly data: { readonly forecast_no: string };
}

async function changeView(view: ViewWriter, events: readonly ForecastEvent[], decide: DecideView): Promise<void> {
  await failpointAsync('intake.before-view');
  await view.change([...new Set(events.map(({ data }) => data.forecast_no))], decide);
  await failpointAsync('intake.after-view');
}

/**
 * Shows the warehouses what happened to forecasts. Items that are too large for their event are read when the rest is stored, so that a warehouse
 * sees the forecast even while they cannot be read. Idempotent.
 * @param events in the order of the log
 * @throws AppError 50301 when the store is out or the items cannot be read now, 40401 when a forecast is not there
 */
export async function followView({ view, items: source }: FollowViewOptions, events: readonly ViewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await changeView(view, events, (known) => decideView(events, known));
  const incomplete = eventsWithoutItems(events);
  if (incomplete.length === 0) return;
  await failpointAsync('intake.before-items');
  // One after the other, and written at once: their items may have megabytes.
  for (const event of incomplete) {
    const found: ReadItems = { event, ...(await source.itemsOf(event.tenantid, event.data.forecast_no, event.data.version ?? 1)) };
    await changeView(view, [event], (known) => decideItems([found], known));
  }
}
