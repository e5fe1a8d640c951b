import {
  type IntakeWarning,
  intakeWarningRules,
  MAX_INTAKE_WARNINGS,
  ReceivedQuantity,
  type WarehouseEventType,
} from '@parcelway/contracts/warehouse-api';
import { hintOf } from '@parcelway/kernel/near-miss';
import type { EventDetail, IntakeEvent } from '../../expected/domain/event.ts';
import type { NoMatch } from '../../expected/domain/match.ts';
import { fieldsOfType, isType } from './judge.ts';

/** A name is cut here: it is the caller's text and may be megabytes long. */
const MAX_NAME = 100;
/** The longest event_id that is valid. */
const MAX_ID = 128;
/** What a terminal or a log would obey or hide instead of showing it, and halves of characters. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** At most this many forecasts are named in a warning. */
const MAX_CANDIDATES = 5;

/** A warning without the event that it is about. */
export type EventWarning = Pick<Required<IntakeWarning>, 'field' | 'rule' | 'message'>;

function shown(name: string): string {
  return name.slice(0, MAX_NAME).replace(NOT_SHOWN, '\ufffd');
}

/** The event_id of a report in any state, to name the report by; null when there is none to read. */
export function readableEventId(raw: unknown): string | null {
  if (raw === null || typeof raw !== 'object') return null;
  const { event_id: id } = raw as { readonly event_id?: unknown };
  return typeof id === 'string' ? id.slice(0, MAX_ID).replace(NOT_SHOWN, '\ufffd') : null;
}

const articled = (type: WarehouseEventType): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type} event`;

const countFields = Object.keys(ReceivedQuantity.properties);

/** Names in an object that its schema does not have, each with the fields that it might have meant. */
function strangersIn(object: unknown, known: readonly string[], path: string) {
  if (object === null || typeof object !== 'object' || Array.isArray(object)) return [];
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, known, path }));
}

/**
 * Fields of a report that its type does not have; of one whose type is not known, none. The report may be invalid in any way.
 * @param most of them are looked at: what a name resembles takes its time to find
 */
export function unknownFields(report: unknown, most = MAX_INTAKE_WARNINGS): EventWarning[] {
  const { type, received_items: counted } = (report ?? {}) as { readonly type?: unknown; readonly received_items?: unknown };
  if (most === 0 || !isType(type)) return [];
  const known = fieldsOfType(type);
  const strangers = strangersIn(report, known, '').slice(0, most);
  const entries = known.includes('received_items') && Array.isArray(counted) ? counted : [];
  for (let index = 0; index < entries.length && strangers.length < most; index += 1)
    strangers.push(...strangersIn(entries[index], countFields, `received_items[${index}].`));
  return strangers.slice(0, most).map(({ name, known: meant, path }) => {
    const field = `${path}${shown(name)}`;
    return { field, rule: 'unknown_field', message: `${field} is not a field of ${articled(type)} and was ignored${hintOf(name, meant)}` };
  });
}

/** Measurements of an event that are to be questioned. */
export function implausible(event: IntakeEvent, limits: MeasureLimits): EventWarning[] {
  return odditiesOf(event.detail, limits).map((oddity): EventWarning => ({ ...oddity, rule: 'implausible' }));
}

/** The first SKU that a valid report counts in several entries. Their quantities are added: perhaps the count of each carton, perhaps a typo. */
export function repeatedSku({
  received_items: received = [],
}: {
  readonly received_items?: readonly { sku_code: string }[];
}): EventWarning[] {
  const seen = new Set<string>();
  for (const [index, { sku_code: sku }] of received.entries()) {
    if (seen.has(sku)) {
      const message = `SKU ${JSON.stringify(shown(sku))} has several entries in received_items; their quantities were added`;
      return [{ field: `received_items[${index}].sku_code`, rule: 'implausible', message }];
    }
    seen.add(sku);
  }
  return [];
}

/** The id was used for another event before. */
export const eventIdReused: EventWarning = {
  field: 'event_id',
  rule: 'event_id_reused',
  message: 'event_id was used for an event with other content; the first one stays and this one has no effect',
};

/** A type 1 forecast takes no dispatch; also the fault of an event that is rejected for it. */
export const takesNoDispatch = {
  field: 'type',
  rule: 'takes_no_dispatch',
  message: 'A type 1 forecast takes no dispatch',
} as const satisfies EventWarning;

/** The parcel left while the warehouse held it back. */
export function dispatchedOnHold({ forecastNo, heldAt }: { readonly forecastNo: string; readonly heldAt: string }): EventWarning {
  const message = `Forecast ${forecastNo} is on hold since ${heldAt} and was not released before the dispatch; the dispatch was recorded`;
  return { field: 'type', rule: 'on_hold', message };
}

/** Why an event whose forecast does not take it, or another of its name in the call, is rejected. */
export function lateFault({ detail }: IntakeEvent): EventWarning {
  if (detail.type === 'dispatch') return takesNoDispatch;
  const message = 'event_id is also that of a rejected event of this call; send each event under an event_id of its own';
  return { field: 'event_id', rule: 'event_id_reused', message };
}

/**
 * What an event waits for. A forecast that is meant for another warehouse is none that this warehouse may know of.
 */
export function waitingWarning(event: IntakeEvent, { reason, candidates = [] }: NoMatch): EventWarning {
  if (reason === 'takes_no_dispatch') return { ...takesNoDispatch, message: `${takesNoDispatch.message}; the event has no effect` };
  if (reason === 'ambiguous') {
    const more = candidates.length > MAX_CANDIDATES ? ', …' : '';
    const named = candidates.length === 0 ? '' : `: ${candidates.slice(0, MAX_CANDIDATES).join(', ')}${more}`;
    const number = JSON.stringify(event.expressNo);
    const why =
      candidates.length === 1
        ? `Only forecast ${candidates[0]} declares ${number}, and its merchant declares many numbers that never come: compare the parcel`
        : `Several forecasts declare ${number}${named}`;
    const message = `${why}; the event waits until you claim it, or an event names this express_no and the forecast_no together`;
    return { field: 'express_no', rule: 'ambiguous', message };
  }
  if (event.forecastNo === null) {
    const message = `No forecast for this warehouse declares ${JSON.stringify(event.expressNo)}; the event waits for one`;
    return { field: 'express_no', rule: 'no_forecast', message };
  }
  const message = `No forecast ${JSON.stringify(event.forecastNo)} for this warehouse is known; the event waits for it`;
  return { field: 'forecast_no', rule: 'no_forecast', message };
}

const weightOf = ({ rule }: IntakeWarning): number => (rule === undefined ? 0 : intakeWarningRules.indexOf(rule));

/** The gravest {@link MAX_INTAKE_WARNINGS}, in the order of the events. */
export function cutWarnings(warnings: readonly IntakeWarning[]): IntakeWarning[] {
  const gravest = warnings.toSorted((a, b) => weightOf(a) - weightOf(b)).slice(0, MAX_INTAKE_WARNINGS);
  return gravest.sort((a, b) => (a.index ?? -1) - (b.index ?? -1));
}

/** Beyond these a measurement is taken, and questioned: a comma in the wrong place, or another unit. */
export interface MeasureLimits {
  readonly weightKg: number;
  readonly sideCm: number;
  /** Grams per litre; water has 1000. */
  readonly minDensity: number;
  readonly maxDensity: number;
}

/** Limits that ordinary parcels keep: a heavy one has 30 kg, lead 11,300 g per litre, air 1.2. */
export const defaultMeasureLimits: MeasureLimits = { weightKg: 150, sideCm: 400, minDensity: 2, maxDensity: 12_000 };

/** What is odd about a measurement. */
export interface Oddity {
  readonly field: 'weight_kg' | 'length_cm' | 'width_cm' | 'height_cm';
  readonly message: string;
}

const CUBIC_CM_PER_LITRE = 1000;
const GRAMS_PER_KG = 1000;

/** What is odd about the measurement of an event; nothing about one without. */
export function odditiesOf(detail: EventDetail, limits: MeasureLimits): Oddity[] {
  if (detail.type !== 'weighing') return [];
  const { lengthCm, widthCm, heightCm, weightKg } = detail;
  const sides = [
    ['length_cm', lengthCm],
    ['width_cm', widthCm],
    ['height_cm', heightCm],
  ] as const;
  const oddities: Oddity[] = sides
    .filter(([, size]) => size > limits.sideCm)
    .map(([field, size]) => ({ field, message: `${field} ${size} is more than ${limits.sideCm} cm; check the number and its unit` }));
  if (weightKg > limits.weightKg) {
    oddities.push({
      field: 'weight_kg',
      message: `weight_kg ${weightKg} is more than ${limits.weightKg} kg; check the number and its unit`,
    });
  }
  const density = (weightKg * GRAMS_PER_KG * CUBIC_CM_PER_LITRE) / (lengthCm * widthCm * heightCm);
  if (density < limits.minDensity || density > limits.maxDensity) {
    const measured = `${Number(density.toPrecision(3))} g per litre`;
    const usual = `${limits.minDensity} to ${limits.maxDensity}`;
    oddities.push({
      field: 'weight_kg',
      message: `weight_kg and size make ${measured}, outside ${usual}; check the numbers and their units`,
    });
  }
  return oddities;
}
