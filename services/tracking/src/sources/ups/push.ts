import { digestOfBody, equalInConstantTime, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { isRecord, recordOf, shortText, type WireRecord } from './wire.ts';

/** Where Track Alert v2 puts the credential of the webhook; v1 put it into `credential`. */
const CREDENTIAL_HEADERS = ['x-api-key', 'credential'] as const;

/**
 * True when a push carries one of the secrets as its credential (UPSTrackAlert.yaml). UPS signs nothing: the credential proves who sends, and says
 * nothing of the body.
 */
export const verifyUpsPush: VerifyPush = (_body, headers, secrets) => {
  const given = CREDENTIAL_HEADERS.map((name) => headers[name]).filter((value) => value !== undefined);
  const [credential] = given;
  if (given.length !== 1 || typeof credential !== 'string' || credential === '') return false;
  return secrets.map((secret) => equalInConstantTime(credential, secret)).some((isEqual, index) => isEqual && secrets[index] !== '');
};

/** The package of Track v1 that says the same as an event of Track Alert v2. */
function packageOf(event: WireRecord, trackingNumber: string): WireRecord {
  const status = recordOf(event['activityStatus']);
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
export const parseUpsPush: ParsePush = (body) => {
  const event = parseJsonBody(body);
  const trackingNumber = isRecord(event) ? shortText(event['trackingNumber']).toUpperCase() : '';
  if (!isRecord(event) || !/^[0-9A-Z]{7,34}$/.test(trackingNumber)) throw new Error('The push has no tracking number of UPS');
  return { id: digestOfBody(body), traces: [{ trackingNumber, carrier: undefined, raw: packageOf(event, trackingNumber) }] };
};
