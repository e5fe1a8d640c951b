import { createHash } from 'node:crypto';
import { carrierCodes, cleanText, type Fields, fieldsOf, isFields, listOf } from '../fields.ts';
import { type ParsePush, type PushedTrace, parseJsonBody } from '../push.ts';
import {
  type AskedParcel,
  NO_LIMITS,
  type QueryResult,
  type RegisterResult,
  type SourceResponse,
  type SourceRun,
  type TrackingSource,
} from '../source.ts';
import { refusalOf } from '../source-http.ts';
import { type RefusalReason, SourceRefusal } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { carrierOf, listIn, numberOf, rowsOf, timeOfEvent, translate17Track } from './translation.ts';

/**
 * 17TRACK's numbers of common carriers (its list `apicarrier.all.json`, README.md). A name that several carriers of
 * the list share, such as "dhl" or "dpd", is left out.
 */
export const carrierCodeOf17Track = carrierCodes(
  '4px:190094 anjun:190047 anpost:9051 aramex:100006 asendiausa:100016 australiapost:1151 austrianpost:1161 bpost:2061 bring:100423 ' +
    'cainiao:190271 canadapost:3041 chinaems:3013 chinapost:3011 chronopost:100273 cne:190208 colissimo:6051 deutschepost:7044 ' +
    'dhlecommerceasia:7048 dhlecommercecn:100765 dhlecommerceus:7047 dhlexpress:100001 dhlpaket:7041 dpdde:100007 dpdfr:100072 ' +
    'dpdpl:100111 dpduk:100010 equick:190136 evri:100331 fedex:100003 gls:100005 gofo:100996 gofoexpress:100996 hongkongpost:8011 ' +
    'inpostpl:100043 japanpost:10021 jcex:190120 laposte:6051 mondialrelay:100304 ontrac:100049 parcelforce:11033 posteitaliane:9071 ' +
    'postnl:14041 purolator:100042 royalmail:11031 sf:100012 sfexpress:100012 singaporepost:19131 speedx:190844 sunyou:190072 ' +
    'swisspost:19251 tnt:100004 ubi:190112 uniuni:100134 ups:100002 usps:21051 veho:101068 wanb:190086 winit:190284 yanwen:190012 ' +
    'yodel:100017 yunexpress:190008',
);

/** Errors of the account or of 17TRACK itself, even when reported for a single number. Includes HTTP statuses. */
const refusals: ReadonlyMap<number, RefusalReason> = new Map([
  [401, 'access denied'],
  [429, 'throttled'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [-18010001, 'access denied'],
  [-18010002, 'access denied'],
  [-18010003, 'unavailable'],
  [-18010004, 'access denied'],
  [-18010005, 'access denied'],
  // The daily limit, and the quota.
  [-18019907, 'quota used up'],
  [-18019908, 'quota used up'],
  [-18019912, 'access denied'],
]);

/** The error of a number that has to be registered first. */
const NOT_REGISTERED = -18019902;
/** Error codes that mean success: the number is registered already, or nothing is known of it yet. */
const successes: ReadonlySet<number> = new Set([-18019901, -18019909]);

/** An error, with the text of 17TRACK for the log. */
interface ResponseError {
  readonly code: number;
  readonly message: string;
}

/** Why 17TRACK did not do what was asked for one number. */
interface NumberError extends ResponseError {
  readonly trackingNumber: string;
}

/** A response, number by number. */
interface Response17Track {
  /** Numbers that 17TRACK took; `raw` is their `track_info`, null when nothing is known yet. A number may come once for each carrier. */
  readonly traces: readonly PushedTrace[];
  readonly errors: readonly NumberError[];
  readonly failure: ResponseError | undefined;
}

/** Most items that are read of one list. A call takes 40 numbers, and one number may be registered with several carriers. */
const MAX_ITEMS = 400;

function errorOf(code: unknown, message: unknown): ResponseError {
  const number = typeof code === 'number' && Number.isSafeInteger(code) ? code : Number.NaN;
  return { code: number, message: cleanText(message, 200) };
}

/** The error of the whole: its code, or the first of `data.errors`, which 17TRACK fills for a request that it cannot read. */
function failureOf(response: Fields, errors: readonly unknown[]): ResponseError | undefined {
  if (response['code'] !== 0) return errorOf(response['code'], response['message']);
  const [error] = errors;
  return error === undefined ? undefined : errorOf(fieldsOf(error)['code'], fieldsOf(error)['message']);
}

/**
 * Splits the response to a call about several numbers, such as /register and /gettrackinfo. HTTP 200 says nothing of the single number.
 * "Already registered" and "no information yet" count as success with nothing known. Of the lists, `accepted` alone must be one: another that is
 * none is left out and does not cost the accepted numbers.
 * @param response `{ code, data: { accepted, rejected } }`
 * @throws Error with the reason when it is none
 */
function splitResponse(response: unknown): Response17Track {
  if (!isFields(response) || !Number.isSafeInteger(response['code'])) throw new Error('17TRACK: the response has no code');
  if (response['code'] === 0 && !isFields(response['data'])) throw new Error('17TRACK: the response has no data');
  const data = fieldsOf(response['data']);
  const [traces, errors]: [PushedTrace[], NumberError[]] = [[], []];
  const items = (list: readonly unknown[]): Fields[] =>
    list.slice(0, MAX_ITEMS).filter((item): item is Fields => isFields(item) && numberOf(item) !== '');
  for (const item of items(listIn(data['accepted'], 'data.accepted'))) {
    traces.push({ trackingNumber: numberOf(item), carrier: carrierOf(item), raw: item['track_info'] ?? null });
  }
  for (const item of items(listOf(data['rejected']))) {
    const error = errorOf(fieldsOf(item['error'])['code'], fieldsOf(item['error'])['message']);
    if (successes.has(error.code)) traces.push({ trackingNumber: numberOf(item), carrier: carrierOf(item), raw: null });
    else errors.push({ trackingNumber: numberOf(item), ...error });
  }
  return { traces, errors, failure: failureOf(response, listOf(data['errors'])) };
}

/** 17TRACK's number of the carrier that it watches a parcel with, as it said at the registration. */
function registeredCarrier({ reference }: AskedParcel): number | undefined {
  return reference !== null && /^[1-9]\d{0,9}$/.test(reference) ? Number(reference) : undefined;
}

/** A parcel as /register takes it. */
function registrationOf(parcel: AskedParcel): object {
  const { trackingNumber, carrierCode, destinationCountry, destinationPostcode, phoneLast4, shipDate } = parcel;
  const carrier = carrierCodeOf17Track(carrierCode);
  return {
    number: trackingNumber,
    carrier: carrier === undefined ? undefined : Number(carrier),
    destination_country: destinationCountry,
    destination_postal_code: destinationPostcode,
    phone_number_last_4: phoneLast4,
    ship_date: shipDate,
  };
}

/** Items of a call, each once. */
function itemsOf(parcels: readonly AskedParcel[], itemOf: (parcel: AskedParcel) => object): string {
  return `[${[...new Set(parcels.map((parcel) => JSON.stringify(itemOf(parcel))))].join(',')}]`;
}

/** The refusal that an error stands for when it is not about one number. */
function refusalOfError({ code }: Pick<NumberError, 'code'>, path: string, response: SourceResponse): SourceRefusal {
  return refusalOf(response, `17TRACK ${path}`, { code, reason: refusals.get(code) ?? 'wrong response' });
}

/** A response that is a success as a whole. @throws SourceRefusal for any other */
function successOf(response: SourceResponse, path: string): Response17Track {
  const { status, json } = response;
  if (status !== 200) {
    const code = fieldsOf(json)['code'];
    if (typeof code === 'number' && refusals.has(code)) throw refusalOfError({ code }, path, response);
    throw refusalOf(response, `17TRACK ${path}`);
  }
  let split: Response17Track;
  try {
    split = splitResponse(json);
  } catch (cause) {
    throw new SourceRefusal('wrong response', `17TRACK ${path}: the response cannot be read`, { cause });
  }
  if (split.failure !== undefined) throw refusalOfError(split.failure, path, response);
  return split;
}

/**
 * What a response says of a number; in which letters 17TRACK gives it back is not documented. One number comes several times when it was registered with
 * several carriers, because it was used again or its carrier was changed: the carrier that is asked for wins, where one is, then the newest row.
 */
function outcomeOf({ traces, errors }: Response17Track, parcel: AskedParcel) {
  const isOfNumber = (item: { readonly trackingNumber: string }): boolean =>
    item.trackingNumber.toUpperCase() === parcel.trackingNumber.toUpperCase();
  const carrier = registeredCarrier(parcel)?.toString() ?? carrierCodeOf17Track(parcel.carrierCode);
  const ofNumber = traces.filter(isOfNumber);
  const ofCarrier = ofNumber.filter((trace) => carrier !== undefined && trace.carrier === carrier);
  const trace = newestOf(ofCarrier.length > 0 ? ofCarrier : ofNumber, ({ raw }) => {
    const { latest_event, tracking } = fieldsOf(raw);
    return [latest_event, ...rowsOf(listOf(fieldsOf(tracking)['providers']))].map((event) => timeOfEvent(fieldsOf(event)));
  });
  return { trace, error: errors.findLast(isOfNumber) };
}

/** Makes a call that is a success as a whole. @throws SourceRefusal also for an error of the account amid the numbers, unless `isPart` */
async function call({ credentials, call: send }: SourceRun, path: string, body: string, isPart?: (split: Response17Track) => boolean) {
  const response = await send({ method: 'POST', path, headers: { '17token': credentials['key'] ?? '' }, body });
  const split = successOf(response, path);
  const ofAccount = split.errors.find(({ code }) => refusals.has(code));
  if (ofAccount !== undefined && !isPart?.(split)) throw refusalOfError(ofAccount, path, response);
  return { split, json: response.json };
}

/** True when a response says something of a number, besides errors of the account. */
const saysSomething = ({ traces, errors }: Response17Track): boolean => traces.length > 0 || errors.some(({ code }) => !refusals.has(code));

/**
 * Reads a push. TRACKING_UPDATED carries the whole `track_info` of one number; every other event, such as TRACKING_STOPPED, carries no trace.
 */
const parse17TrackPush: ParsePush = (body) => {
  const push = parseJsonBody(body);
  if (!isFields(push) || typeof push['event'] !== 'string') throw new Error('17TRACK: the push names no event');
  if (push['event'] !== 'TRACKING_UPDATED') return [];
  const { data } = push;
  if (!isFields(data) || numberOf(data) === '') throw new Error('17TRACK: the push names no tracking number');
  if (data['track_info'] === undefined) throw new Error('17TRACK: the push has no track_info');
  return [{ trackingNumber: numberOf(data), carrier: carrierOf(data), raw: data['track_info'] }];
};

/**
 * 17TRACK. Its pushes are signed with the key of the API.
 * `reference` is 17TRACK's number of the carrier that it watches the parcel with. A query names no carrier, as
 * 17TRACK may have changed it since: of several items of one number, `outcomeOf` picks one.
 */
export const source17Track: TrackingSource = {
  name: '17track',
  baseUrl: 'https://api.17track.net/track/v2.4',
  credentials: { required: ['key'], optional: ['previous_key'] },
  limits: { ...NO_LIMITS, requestsPerSecond: 3, numbersPerQuery: 40, numbersPerRegistration: 40 },
  takes: { pattern: /^[A-Za-z0-9-]{5,50}$/, words: '5 to 50 letters, digits and hyphens' },
  registersFor: 'queries',
  quotaFor: 'registrations',
  pushes: {
    secret: ['key'],
    // SHA-256 over the body, a slash and the key of the API. It signs no time, so an old push stays valid; its nodes are known already.
    proof: { headers: ['sign'], of: (key, body) => createHash('sha256').update(body).update(`/${key}`).digest('hex') },
    parse: parse17TrackPush,
    // The reference is 17TRACK's number of the carrier.
    isOf: ({ carrier }, reference) => carrier === undefined || reference === null || carrier === reference,
  },
  translate: translate17Track,
  /**
   * A number that was registered before costs no quota, so a call that failed is repeated as a whole.
   * @throws SourceRefusal also when the account's quota ends amid the numbers
   */
  async register(run, parcels) {
    const { split } = await call(run, '/register', itemsOf(parcels, registrationOf));
    const outcomes = parcels.map((parcel) => outcomeOf(split, parcel));
    if (outcomes.every(({ trace, error }) => trace === undefined && error === undefined))
      throw new SourceRefusal('wrong response', '17TRACK /register: the response names none of the numbers');
    return outcomes.map(({ trace, error }): RegisterResult => {
      if (trace !== undefined) return { kind: 'registered', reference: trace.carrier ?? null };
      return {
        kind: 'rejected',
        reason: error === undefined ? '17TRACK does not name the number in its response' : `${error.code}: ${error.message}`,
      };
    });
  },

  /** Deletes the number: one that is only stopped counts as registered at the next registration, and no more news come of it. */
  async unregister(run, parcel) {
    await call(run, '/deletetrack', JSON.stringify([{ number: parcel.trackingNumber, carrier: registeredCarrier(parcel) }]));
  },

  async query(run, parcels) {
    const items = itemsOf(parcels, ({ trackingNumber }) => ({ number: trackingNumber }));
    const { split } = await call(run, '/gettrackinfo', items, saysSomething);
    return parcels.map((parcel): QueryResult => {
      const { trace, error } = outcomeOf(split, parcel);
      if (trace !== undefined) return { kind: 'trace', raw: trace.raw };
      if (error === undefined || refusals.has(error.code)) return { kind: 'no news' };
      return error.code === NOT_REGISTERED ? { kind: 'not registered' } : { kind: 'rejected', reason: `${error.code}: ${error.message}` };
    });
  },

  /** Asks for the quota, which costs nothing. */
  async test(run) {
    const { json } = await call(run, '/getquota', '[]');
    const { quota_total: total } = fieldsOf(fieldsOf(json)['data']);
    if (typeof total !== 'number') throw new SourceRefusal('wrong response', '17TRACK /getquota: the response names no quota');
  },
};
