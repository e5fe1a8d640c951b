import type { UploadedPhoto } from '@parcelway/contracts/file-api';
import type { ForecastDetail, ForecastSummary } from '@parcelway/contracts/forecast-api';
import type { Principal } from '@parcelway/contracts/principal';
import type { Simulation, SimulationResult } from '@parcelway/contracts/sandbox-api';
import type { IntakeResult, WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import type { Warning } from '@parcelway/contracts/warnings';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, isoInstant } from '@parcelway/kernel/clock';
import { isErrorCode } from '@parcelway/kernel/error-codes';
import { newId, newToken } from '@parcelway/kernel/ids';
import { samplePhoto } from './photo.ts';

/** What a simulation works with. */
export interface SimulateOptions {
  readonly services: Pick<ServiceClient, 'call'>;
  readonly clock: Clock;
}

/** The request that asks, as the calls that it causes refer to it. */
export interface Cause {
  readonly requestId: string;
  readonly traceparent: string;
}

/** One simulation under way. */
interface Play {
  readonly options: SimulateOptions;
  /** The merchant who asked. */
  readonly caller: Principal;
  /** The warehouse of the forecast, played by the gateway. */
  readonly warehouse: Principal;
  readonly forecast: ForecastSummary;
  readonly step: Simulation;
  readonly cause: Cause;
}

/** Photos are written to the object store, which may take its time. */
const UPLOAD_TIMEOUT_MS = 15_000;
const DEFAULTS = { length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 1.25, photos: 1, exception_reason: 'damaged' } as const;

async function findForecast(options: SimulateOptions, caller: Principal, poNumber: string, cause: Cause): Promise<ForecastSummary> {
  const list = await options.services.call<{ forecasts: ForecastSummary[] }>({
    service: 'forecast',
    method: 'GET',
    path: `/open/v1/forecasts?po_number=${encodeURIComponent(poNumber)}`,
    principal: caller,
    ...cause,
  });
  // Newest first; only cancelled ones can follow a cancelled one.
  const live = list.forecasts.find((forecast) => forecast.status_name !== 'CANCELLED') ?? list.forecasts[0];
  if (live === undefined) throw new AppError('40401');
  return live;
}

async function uploadPhoto(play: Play, number: number): Promise<string> {
  const { step } = play;
  const photo = samplePhoto({ number, mark: `${play.forecast.forecast_no} ${step.step} ${number} ${newToken()}` });
  const form = new FormData();
  form.set('file', new File([Uint8Array.from(photo)], `${step.step}-${number}.png`, { type: 'image/png' }));
  const sent = new Response(form);
  const uploaded = await play.options.services.call<UploadedPhoto>({
    service: 'file',
    method: 'POST',
    path: '/warehouse/v1/photos',
    principal: play.warehouse,
    body: Buffer.from(await sent.arrayBuffer()),
    contentType: sent.headers.get('content-type') as string,
    ...play.cause,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
  return uploaded.photo_id;
}

function common(play: Play): { event_id: string; occurred_at: string; warehouse_code: string; forecast_no: string } {
  return {
    event_id: newId('we'),
    occurred_at: isoInstant(play.options.clock.now()),
    warehouse_code: play.forecast.warehouse_code,
    forecast_no: play.forecast.forecast_no,
  };
}

/** What the warehouse counts, when the merchant says so. */
function count({ step: { received_items } }: Play): Pick<Simulation, 'received_items'> {
  return received_items === undefined ? {} : { received_items };
}

async function photoIds(play: Play): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= (play.step.photos ?? DEFAULTS.photos); number += 1) ids.push(await uploadPhoto(play, number));
  return ids;
}

async function arrival(play: Play): Promise<WarehouseEvent[]> {
  const events: WarehouseEvent[] = [{ ...common(play), type: 'arrival', ...count(play) }];
  for (const [index, imageType] of (play.step.image_types ?? []).entries()) {
    const photoId = await uploadPhoto(play, index + 1);
    events.push({ ...common(play), type: 'photo', photo_id: photoId, image_type: imageType, image_order: index + 1 });
  }
  return events;
}

async function weighing(play: Play): Promise<WarehouseEvent[]> {
  const { step } = play;
  return [
    {
      ...common(play),
      type: 'weighing',
      length_cm: step.length_cm ?? DEFAULTS.length_cm,
      width_cm: step.width_cm ?? DEFAULTS.width_cm,
      height_cm: step.height_cm ?? DEFAULTS.height_cm,
      weight_kg: step.weight_kg ?? DEFAULTS.weight_kg,
      photo_ids: await photoIds(play),
    },
  ];
}

/** The platform itself, for what services show each other alone. */
const platformOf = ({ caller }: Play): Principal => ({ ...caller, kind: 'system', tenantId: null, keyId: 'gateway', scopes: [] });

/** Not by the po_number in a path, which may have a segment that no path can have. */
async function firstTrackingNumber(play: Play): Promise<string | undefined> {
  const query = new URLSearchParams({ tenant_id: String(play.caller.tenantId), forecast_no: play.forecast.forecast_no });
  const detail = await play.options.services.call<ForecastDetail>({
    service: 'forecast',
    method: 'GET',
    path: `/internal/v1/forecasts/detail?${query}`,
    principal: platformOf(play),
    ...play.cause,
  });
  return detail.items.find((item) => item.tracking_number)?.tracking_number;
}

async function dispatch(play: Play): Promise<WarehouseEvent[]> {
  const { step } = play;
  const number =
    step.tracking_number ??
    (await firstTrackingNumber(play)) ??
    `SIM${newToken(6)
      .replace(/[^A-Za-z0-9]/g, '0')
      .toUpperCase()}`;
  return [{ ...common(play), type: 'dispatch', carrier_code: step.carrier_code ?? 'simulated', tracking_number: number }];
}

async function exception(play: Play): Promise<WarehouseEvent[]> {
  const { exception_reason: reason = DEFAULTS.exception_reason, exception_text: text } = play.step;
  return [{ ...common(play), type: 'exception', reason, ...(text !== undefined && { text }), photo_ids: await photoIds(play) }];
}

async function eventsOf(play: Play): Promise<WarehouseEvent[]> {
  switch (play.step.step) {
    case 'arrive':
      return arrival(play);
    case 'weigh':
      return weighing(play);
    case 'process':
      return [{ ...common(play), type: 'processing', ...count(play) }];
    case 'put_away':
      return [{ ...common(play), type: 'put_away', ...count(play) }];
    case 'exception':
      return exception(play);
    case 'hold':
      return [{ ...common(play), type: 'hold', ...(play.step.hold_reason !== undefined && { reason: play.step.hold_reason }) }];
    case 'release':
      return [{ ...common(play), type: 'release' }];
    case 'dispatch':
      return dispatch(play);
    case 'track':
      return [];
  }
}

async function report(play: Play, events: readonly WarehouseEvent[]): Promise<void> {
  const result = await play.options.services.call<IntakeResult>({
    service: 'warehouse-intake',
    method: 'POST',
    path: '/warehouse/v1/events',
    principal: play.warehouse,
    body: { events },
    ...play.cause,
  });
  const refused = result.rejected[0];
  if (refused !== undefined) throw new AppError(isErrorCode(refused.code) ? refused.code : '50000', refused.message);
}

/** Adds a node to the simulated carrier's history. Refused with 40902 while the forecast is not dispatched. */
async function addNode(play: Play): Promise<void> {
  const { step, caller, forecast } = play;
  await play.options.services.call<object>({
    service: 'tracking',
    method: 'POST',
    path: '/internal/v1/simulated-nodes',
    principal: platformOf(play),
    body: {
      tenant_id: caller.tenantId,
      forecast_no: forecast.forecast_no,
      tracking_number: step.tracking_number,
      admin_status: step.admin_status,
      content: step.content,
      address: step.address,
      create_time: step.create_time,
      times: step.times,
    },
    ...play.cause,
  });
}

/** What a warehouse may report, and what has no effect on this forecast: the intake accepts it silently, a merchant who tries it out gets an error. */
function effectWarnings({ forecast, step }: Play): Warning[] {
  if (step.step !== 'put_away' || forecast.forecast_type !== 2) return [];
  const message = 'put_away leaves the status of a type 2 forecast (direct mail) as it is; it completes a type 1 forecast only';
  return [{ field: 'step', message }];
}

/**
 * Plays the warehouse or the carrier for one forecast: sends what they would send, on the very path that they use.
 * @param caller the merchant's principal
 * @param cause the merchant's request
 * @returns with a warning when the step has no effect on the forecast
 * @throws AppError 40401 when the merchant has no such forecast, 40902 when its state does not allow the step
 */
export async function simulate(options: SimulateOptions, caller: Principal, step: Simulation, cause: Cause): Promise<SimulationResult> {
  const forecast = await findForecast(options, caller, step.po_number, cause);
  const warehouse: Principal = {
    kind: 'warehouse',
    tenantId: null,
    warehouseCode: forecast.warehouse_code,
    keyId: 'sandbox',
    scopes: ['warehouse:write'],
    environment: caller.environment,
  };
  const play: Play = { options, caller, warehouse, forecast, step, cause };
  const events = await eventsOf(play);
  if (step.step === 'track') await addNode(play);
  else await report(play, events);
  return {
    po_number: forecast.po_number,
    forecast_no: forecast.forecast_no,
    step: step.step,
    event_ids: events.map((event) => event.event_id),
    warnings: effectWarnings(play),
  };
}
