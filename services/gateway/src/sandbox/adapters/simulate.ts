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
import { platformPrincipal } from '../../proxy/domain/principals.ts';
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
  const path = `/open/v1/forecasts?po_number=${encodeURIComponent(poNumber)}`;
  const call = { service: 'forecast', method: 'GET', path, principal: caller, ...cause } as const;
  const { forecasts } = await options.services.call<{ forecasts: ForecastSummary[] }>(call);
  // Newest first; only cancelled ones can follow a cancelled one.
  const live = forecasts.find((forecast) => forecast.status_name !== 'CANCELLED') ?? forecasts[0];
  if (live === undefined) throw new AppError('40401');
  return live;
}

async function uploadPhoto({ options, warehouse, forecast, step: { step }, cause }: Play, number: number): Promise<string> {
  const photo = samplePhoto(number, `${forecast.forecast_no} ${step} ${number} ${newToken()}`);
  const form = new FormData();
  form.set('file', new File([Uint8Array.from(photo)], `${step}-${number}.png`, { type: 'image/png' }));
  const sent = new Response(form);
  const { photo_id } = await options.services.call<UploadedPhoto>({
    service: 'file',
    method: 'POST',
    path: '/warehouse/v1/photos',
    principal: warehouse,
    body: Buffer.from(await sent.arrayBuffer()),
    contentType: sent.headers.get('content-type') as string,
    ...cause,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
  return photo_id;
}

async function photoIds(play: Play): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= (play.step.photos ?? DEFAULTS.photos); number += 1) ids.push(await uploadPhoto(play, number));
  return ids;
}

/** Not by the po_number in a path, which may have a segment that no path can have. */
async function firstTrackingNumber(play: Play): Promise<string | undefined> {
  const query = new URLSearchParams({ tenant_id: String(play.caller.tenantId), forecast_no: play.forecast.forecast_no });
  const call = {
    service: 'forecast',
    method: 'GET',
    path: `/internal/v1/forecasts/detail?${query}`,
    principal: platformPrincipal(play.caller.environment),
  } as const;
  const { items } = await play.options.services.call<ForecastDetail>({ ...call, ...play.cause });
  return items.find((item) => item.tracking_number)?.tracking_number;
}

/** A number that no carrier has given. */
const inventedNumber = (): string =>
  `SIM${newToken(6)
    .replace(/[^A-Za-z0-9]/g, '0')
    .toUpperCase()}`;

/** What the warehouse reports in the step. */
async function eventsOf(play: Play): Promise<WarehouseEvent[]> {
  const { step, forecast, options } = play;
  const common = () => ({
    event_id: newId('we'),
    occurred_at: isoInstant(options.clock.now()),
    warehouse_code: forecast.warehouse_code,
    forecast_no: forecast.forecast_no,
  });
  // What the warehouse counts, when the merchant says so.
  const count = step.received_items === undefined ? {} : { received_items: step.received_items };
  switch (step.step) {
    case 'arrive': {
      const events: WarehouseEvent[] = [{ ...common(), type: 'arrival', ...count }];
      for (const [index, image_type] of (step.image_types ?? []).entries()) {
        const photo_id = await uploadPhoto(play, index + 1);
        events.push({ ...common(), type: 'photo', photo_id, image_type, image_order: index + 1 });
      }
      return events;
    }
    case 'weigh': {
      const { length_cm, width_cm, height_cm, weight_kg } = { ...DEFAULTS, ...step };
      return [{ ...common(), type: 'weighing', length_cm, width_cm, height_cm, weight_kg, photo_ids: await photoIds(play) }];
    }
    case 'process':
      return [{ ...common(), type: 'processing', ...count }];
    case 'put_away':
      return [{ ...common(), type: 'put_away', ...count }];
    case 'exception': {
      const { exception_reason: reason = DEFAULTS.exception_reason, exception_text: text } = step;
      return [{ ...common(), type: 'exception', reason, ...(text !== undefined && { text }), photo_ids: await photoIds(play) }];
    }
    case 'hold':
      return [{ ...common(), type: 'hold', ...(step.hold_reason !== undefined && { reason: step.hold_reason }) }];
    case 'release':
      return [{ ...common(), type: 'release' }];
    case 'dispatch': {
      const tracking_number = step.tracking_number ?? (await firstTrackingNumber(play)) ?? inventedNumber();
      return [{ ...common(), type: 'dispatch', carrier_code: step.carrier_code ?? 'simulated', tracking_number }];
    }
    case 'track':
      return [];
  }
}

async function report({ options, warehouse, cause }: Play, events: readonly WarehouseEvent[]): Promise<void> {
  const call = { service: 'warehouse-intake', method: 'POST', path: '/warehouse/v1/events', principal: warehouse } as const;
  const { rejected } = await options.services.call<IntakeResult>({ ...call, body: { events }, ...cause });
  const refused = rejected[0];
  if (refused !== undefined) throw new AppError(isErrorCode(refused.code) ? refused.code : '50000', refused.message);
}

/** Adds a node to the simulated carrier's history. Refused with 40902 while the forecast is not dispatched. */
async function addNode(play: Play): Promise<void> {
  const { tracking_number, admin_status, content, address, create_time, times } = play.step;
  const named = { tenant_id: play.caller.tenantId, forecast_no: play.forecast.forecast_no, tracking_number };
  const body = { ...named, admin_status, content, address, create_time, times };
  const call = {
    service: 'tracking',
    method: 'POST',
    path: '/internal/v1/simulated-nodes',
    principal: platformPrincipal(play.caller.environment),
  } as const;
  await play.options.services.call<object>({ ...call, body, ...play.cause });
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
