import { type Fields, fieldsOf, isFields } from '../fields.ts';
import { isProvedBy, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { NO_LIMITS, type TrackingSource } from '../source.ts';
import { shortText } from './activity-time.ts';
import { callsOfUps } from './client.ts';
import { translateUps } from './translation.ts';

/** Numbers of Track v1. */
const NUMBER = /^[0-9A-Z]{7,34}$/;

/** Where Track Alert v2 puts the credential of the webhook; v1 put it into `credential`. */
const CREDENTIAL_HEADERS = ['x-api-key', 'credential'] as const;

/**
 * True when a push carries one of the secrets as its credential (UPSTrackAlert.yaml). UPS signs nothing: the credential proves who sends, and says
 * nothing of the body.
 */
const verifyUpsPush: VerifyPush = (_body, headers, secrets) => {
  const given = CREDENTIAL_HEADERS.map((name) => headers[name]).filter((value) => value !== undefined);
  const [credential] = given;
  if (given.length !== 1 || typeof credential !== 'string' || credential === '') return false;
  return isProvedBy(credential, secrets, (secret) => secret);
};

/** The package of Track v1 that says the same as an event of Track Alert v2. */
function packageOf(event: Fields, trackingNumber: string): Fields {
  const status = fieldsOf(event['activityStatus']);
  const activity = {
    date: event['localActivityDate'],
    time: event['localActivityTime'],
    gmtDate: event['gmtActivityDate'],
    gmtTime: event['gmtActivityTime'],
    gmtOffset: event['gmtOffset'],
    location: { address: event['activityLocation'] },
    status: { type: status['type'], code: status['code'], statusCode: status['descriptionCode'], description: status['description'] },
  };
  return { trackingNumber, activity: [activity] };
}

/** Reads a push of Track Alert v2: one activity of one package (TrackingEventRequest of UPSTrackAlert.yaml). A photo in it is left out. */
const parseUpsPush: ParsePush = (body) => {
  const event = parseJsonBody(body);
  const trackingNumber = isFields(event) ? shortText(event['trackingNumber']).toUpperCase() : '';
  if (!isFields(event) || !NUMBER.test(trackingNumber)) throw new Error('The push has no tracking number of UPS');
  return [{ trackingNumber, raw: packageOf(event, trackingNumber) }];
};

/**
 * UPS: Track v1 for queries, Track Alert v2 for pushes. A registration subscribes to pushes, for 14 days; queries need none. An account without Track
 * Alert refuses it ('access denied'), and Track Alert rejects numbers that Track v1 takes: neither may stop the queries.
 */
export const sourceUps: TrackingSource = {
  ...callsOfUps,
  name: 'ups',
  baseUrl: 'https://onlinetools.ups.com',
  credentials: { required: ['client_id', 'client_secret'], optional: ['push_token', 'previous_push_token'] },
  // UPS publishes no limit of calls: it sets one for each account.
  limits: { ...NO_LIMITS, numbersPerRegistration: 100 },
  takes: { pattern: NUMBER, words: '7 to 34 letters and digits' },
  registersFor: 'pushes',
  registrationLastsMs: 14 * 86_400_000,
  pushes: {
    secret: ['push_token'],
    verify: verifyUpsPush,
    parse: parseUpsPush,
  },
  translate: translateUps,
};
