import { pairsOf } from './fields.ts';

/** Where a row of a source says that it happened. */
export interface Place {
  /** ISO 3166-1 alpha-2, in any case. */
  readonly country?: string | undefined;
  /** Code of a state or province in a country with several zones, such as `CA` in `US`. */
  readonly state?: string | undefined;
}

/** An offset from UTC, and how it is known. */
export interface PlaceOffset {
  readonly offsetMs: number;
  readonly basis: 'derived' | 'assumed';
}

/** The official zone of countries for which the zone database has further ones that are not used officially, or hold for remote parts alone. */
const officialZones = pairsOf(
  'CN:Asia/Shanghai DE:Europe/Berlin CY:Asia/Nicosia MY:Asia/Kuala_Lumpur NZ:Pacific/Auckland UA:Europe/Kyiv UZ:Asia/Tashkent ' +
    'VN:Asia/Ho_Chi_Minh AR:America/Argentina/Buenos_Aires',
);

/** The zone in which most people of a country with several zones live. Which of them a row is in stays a guess. */
const commonZones = pairsOf(
  'US:America/New_York CA:America/Toronto AU:Australia/Sydney BR:America/Sao_Paulo MX:America/Mexico_City RU:Europe/Moscow ' +
    'ID:Asia/Jakarta ES:Europe/Madrid PT:Europe/Lisbon KZ:Asia/Almaty CL:America/Santiago MN:Asia/Ulaanbaatar',
);

const [EASTERN, CENTRAL, MOUNTAIN, PACIFIC] = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'];

function statesIn(zones: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(zones).flatMap(([zone, states]) => states.split(' ').map((state): [string, string] => [state, zone])));
}

/** The zone of states and provinces; of those in {@link splitStates}, that of the larger part. */
const stateZones: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  US: statesIn({
    [EASTERN as string]: 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV',
    [CENTRAL as string]: 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
    [MOUNTAIN as string]: 'CO ID MT NM UT WY',
    [PACIFIC as string]: 'CA NV OR WA',
    'America/Phoenix': 'AZ',
    'America/Anchorage': 'AK',
    'Pacific/Honolulu': 'HI',
    'America/Puerto_Rico': 'PR',
  }),
  CA: statesIn({
    'America/Toronto': 'ON QC',
    'America/Vancouver': 'BC',
    'America/Edmonton': 'AB NT',
    'America/Regina': 'SK',
    'America/Winnipeg': 'MB',
    'America/Halifax': 'NB NS PE',
    'America/St_Johns': 'NL',
    'America/Whitehorse': 'YT',
  }),
  AU: statesIn({
    'Australia/Sydney': 'ACT NSW',
    'Australia/Melbourne': 'VIC',
    'Australia/Brisbane': 'QLD',
    'Australia/Adelaide': 'SA',
    'Australia/Darwin': 'NT',
    'Australia/Perth': 'WA',
    'Australia/Hobart': 'TAS',
  }),
};

/** States and provinces that lie in two zones, so that their zone is a guess. */
const splitStates: ReadonlySet<string> = new Set([
  ...'AK AZ FL ID IN KS KY MI ND NE NV OR SD TN TX'.split(' ').map((state) => `US ${state}`),
  ...'BC NL NT ON QC SK'.split(' ').map((state) => `CA ${state}`),
  ...['AU NSW', 'AU SA', 'AU WA'],
]);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Offset of a zone at an instant, milliseconds. */
function offsetAt(zone: string, instant: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /^GMT([+-])(\d{2}):(\d{2})/.exec(name);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}

const DAY_MS = 86_400_000;

/** Offset of a zone at a local time. In the hour that a change of clocks repeats, that of the first run through it; in one that it skips, the former. */
function offsetAtLocal(zone: string, local: number): number {
  const [before, after] = [offsetAt(zone, local - DAY_MS), offsetAt(zone, local + DAY_MS)];
  // The greater offset gives the earlier instant.
  const candidates = [Math.max(before, after), Math.min(before, after)];
  return candidates.find((offset) => offsetAt(zone, local - offset) === offset) ?? before;
}

/** Zones of a country; none when there is no such country. */
function zonesOf(country: string): readonly string[] {
  if (!/^[A-Z]{2}$/.test(country)) return [];
  // Node.js 20 has a getter for it, later versions a method.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { timeZones?: string[]; getTimeZones?: () => string[] };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/**
 * Offset of a place from UTC at a local time (decision on times without a zone): derived where the place lies in one zone, assumed in a country
 * with several, and UTC where nothing is known.
 * @param local the local time as if it were UTC, epoch milliseconds
 */
export function offsetOfPlace(place: Place, local: number): PlaceOffset {
  const country = (place.country ?? '').toUpperCase();
  const state = (place.state ?? '').toUpperCase();
  const zones = zonesOf(country);
  const ofState = stateZones[country]?.get(state);
  const official = ofState === undefined ? officialZones.get(country) : undefined;
  const zone = ofState ?? official ?? commonZones.get(country) ?? zones[0];
  if (zone === undefined) return { offsetMs: 0, basis: 'assumed' };
  const isCertain = ofState === undefined ? official !== undefined || zones.length === 1 : !splitStates.has(`${country} ${state}`);
  return { offsetMs: offsetAtLocal(zone, local), basis: isCertain ? 'derived' : 'assumed' };
}
