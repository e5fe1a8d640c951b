import { cleanText, fieldsOf } from '../fields.ts';
import type { PushedTrace } from '../push.ts';
import type { AskedParcel, ClientOptions, QueryResult, RegisterResult, SourceClient } from '../source.ts';
import { callSource, refusalOf, retryAfterOf, type SourceResponse, withoutCredentials } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { carrierCodeOf17Track } from './carrier-codes.ts';
import { NOT_REGISTERED, refusals17Track, split17TrackResponse, trace17TrackOf } from './response.ts';

type Response17Track = ReturnType<typeof split17TrackResponse>;
type NumberError = Response17Track['errors'][number];

/** What 17TRACK takes as a number. One that it does not take can cost the whole call, so it is not sent. */
const NUMBER = /^[A-Za-z0-9-]{5,50}$/;

/** A number as it is compared: in which letters 17TRACK gives it back is not documented. */
function keyOf(trackingNumber: string): string {
  return trackingNumber.toUpperCase();
}

/** 17TRACK's number of the carrier that it watches a parcel with, as it said at the registration. */
function registeredCarrier({ reference }: AskedParcel): number | undefined {
  return reference !== null && /^[1-9]\d{0,9}$/.test(reference) ? Number(reference) : undefined;
}

/** A parcel as /register takes it. */
function registrationOf(parcel: AskedParcel): object {
  const { trackingNumber, carrierCode, destinationCountry, destinationPostcode, phoneLast4, shipDate } = parcel;
  return {
    number: trackingNumber,
    carrier: carrierCodeOf17Track(carrierCode),
    destination_country: destinationCountry,
    destination_postal_code: destinationPostcode,
    phone_number_last_4: phoneLast4,
    ship_date: shipDate,
  };
}

/** Items of a call, each once. */
function itemsOf(parcels: readonly AskedParcel[], itemOf: (parcel: AskedParcel) => object): string {
  const items = parcels.filter(({ trackingNumber }) => NUMBER.test(trackingNumber)).map((parcel) => JSON.stringify(itemOf(parcel)));
  return `[${[...new Set(items)].join(',')}]`;
}

/** The refusal that an error stands for when it is not about one number. */
function refusalOfError({ code }: Pick<NumberError, 'code'>, path: string, { status, headers }: SourceResponse): SourceRefusal {
  return new SourceRefusal(refusals17Track.get(code) ?? 'wrong response', `17TRACK ${path}: the response has the code ${code}`, {
    retryAfterMs: retryAfterOf(headers, Date.now()),
    status,
  });
}

/** A response that is a success as a whole. @throws SourceRefusal for any other */
function successOf(response: SourceResponse, path: string): Response17Track {
  const { status, json } = response;
  if (status !== 200) {
    const code = fieldsOf(json)['code'];
    if (typeof code === 'number' && refusals17Track.has(code)) throw refusalOfError({ code }, path, response);
    throw refusalOf(response, `17TRACK ${path}`);
  }
  let split: Response17Track;
  try {
    split = split17TrackResponse(json);
  } catch (cause) {
    throw new SourceRefusal('wrong response', `17TRACK ${path}: the response cannot be read`, { cause });
  }
  if (split.failure !== undefined) throw refusalOfError(split.failure, path, response);
  return split;
}

/** What a response says of each number, in the letters of {@link keyOf}. */
interface Outcomes {
  traceOf(parcel: AskedParcel): PushedTrace | undefined;
  errorOf(parcel: AskedParcel): NumberError | undefined;
}

function outcomesOf({ traces, errors }: Response17Track): Outcomes {
  const keyed = traces.map((trace) => ({ ...trace, trackingNumber: keyOf(trace.trackingNumber) }));
  const errorOf = new Map(errors.map((error) => [keyOf(error.trackingNumber), error]));
  return {
    traceOf: (parcel) =>
      trace17TrackOf(
        keyed,
        keyOf(parcel.trackingNumber),
        (registeredCarrier(parcel) ?? carrierCodeOf17Track(parcel.carrierCode))?.toString(),
      ),
    errorOf: ({ trackingNumber }) => errorOf.get(keyOf(trackingNumber)),
  };
}

const notTaken = { kind: 'rejected', reason: '17TRACK takes numbers of 5 to 50 letters, digits and hyphens' } as const;

/**
 * Client of 17TRACK. `reference` is 17TRACK's number of the carrier that it watches the parcel with. A query names no carrier, as
 * 17TRACK may have changed it since: of several items of one number, `trace17TrackOf` picks one.
 */
export function create17TrackClient({ baseUrl, credentials, dispatcher }: ClientOptions): SourceClient {
  const key = credentials['key'] ?? '';
  const call = async (path: string, body: string, signal: AbortSignal): Promise<SourceResponse> =>
    callSource(dispatcher, { method: 'POST', url: baseUrl + path, headers: { '17token': key }, body, signal });
  /** What 17TRACK says of one number, without the key should it be among the words. */
  const reasonOf = ({ code, message }: NumberError): string => cleanText(`${code}: ${withoutCredentials(message, credentials)}`, 300);

  return {
    /**
     * A number that was registered before costs no quota, so a call that failed is repeated as a whole.
     * @throws SourceRefusal also when the account's quota ends amid the numbers
     */
    async register(parcels, signal) {
      const body = itemsOf(parcels, registrationOf);
      if (body === '[]') return parcels.map(() => notTaken);
      const response = await call('/register', body, signal);
      const split = successOf(response, '/register');
      const ofAccount = split.errors.find(({ code }) => refusals17Track.has(code));
      if (ofAccount !== undefined) throw refusalOfError(ofAccount, '/register', response);
      const { traceOf, errorOf } = outcomesOf(split);
      const isNamed = (parcel: AskedParcel): boolean => traceOf(parcel) !== undefined || errorOf(parcel) !== undefined;
      if (!parcels.some(isNamed)) throw new SourceRefusal('wrong response', '17TRACK /register: the response names none of the numbers');
      return parcels.map((parcel): RegisterResult => {
        if (!NUMBER.test(parcel.trackingNumber)) return notTaken;
        const [trace, error] = [traceOf(parcel), errorOf(parcel)];
        if (trace !== undefined) return { kind: 'registered', reference: trace.carrier ?? null };
        return { kind: 'rejected', reason: error === undefined ? '17TRACK does not name the number in its response' : reasonOf(error) };
      });
    },

    /** Deletes the numbers: one that is only stopped counts as registered at the next registration, and no more news come of it. */
    async unregister(parcels, signal) {
      const body = itemsOf(parcels, (parcel) => ({ number: parcel.trackingNumber, carrier: registeredCarrier(parcel) }));
      if (body === '[]') return;
      const response = await call('/deletetrack', body, signal);
      const ofAccount = successOf(response, '/deletetrack').errors.find(({ code }) => refusals17Track.has(code));
      if (ofAccount !== undefined) throw refusalOfError(ofAccount, '/deletetrack', response);
    },

    async query(parcels, signal) {
      const body = itemsOf(parcels, ({ trackingNumber }) => ({ number: trackingNumber }));
      if (body === '[]') return parcels.map(() => notTaken);
      const response = await call('/gettrackinfo', body, signal);
      const split = successOf(response, '/gettrackinfo');
      const ofAccount = split.errors.find(({ code }) => refusals17Track.has(code));
      const isOfAccountAlone = split.traces.length === 0 && split.errors.every(({ code }) => refusals17Track.has(code));
      if (ofAccount !== undefined && isOfAccountAlone) throw refusalOfError(ofAccount, '/gettrackinfo', response);
      const { traceOf, errorOf } = outcomesOf(split);
      return parcels.map((parcel): QueryResult => {
        if (!NUMBER.test(parcel.trackingNumber)) return notTaken;
        const [trace, error] = [traceOf(parcel), errorOf(parcel)];
        if (trace !== undefined) return { kind: 'trace', raw: trace.raw };
        if (error === undefined || refusals17Track.has(error.code)) return { kind: 'no news' };
        return error.code === NOT_REGISTERED ? { kind: 'not registered' } : { kind: 'rejected', reason: reasonOf(error) };
      });
    },

    /** Asks for the quota, which costs nothing. */
    async test(signal) {
      const response = await call('/getquota', '[]', signal);
      successOf(response, '/getquota');
      const { quota_total: total } = fieldsOf(fieldsOf(response.json)['data']);
      if (typeof total !== 'number') throw new SourceRefusal('wrong response', '17TRACK /getquota: the response names no quota');
    },
  };
}
