import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { cleanText, codeTable, type Fields, isFields } from '../fields.ts';
import { readSourceTime } from '../source-time.ts';
import { type ReadRow, type ReadStatus, readRows, type SourceParcel, type Trace } from '../trace.ts';

/** Codes of three letters whose first two are the code of two letters (ISO 3166-1). */
const regular = [
  'AFG AIA ALB ARG ASM AUS AZE BEL BFA BGR BHR BLM BMU BOL BRA BTN BVT BWA CAN CCK CHE CIV CMR COL CRI CUB CXR CYP CZE DEU DJI DMA',
  'DOM DZA ECU EGY ERI ESP ETH FIN FJI FRA GAB GBR GEO GGY GHA GIB GMB GRC GTM GUM HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRN ISL',
  'ITA JEY JOR JPN KEN KGZ KHM KIR KNA KWT LAO LBN LCA LIE LKA LSO LTU LUX LVA MAR MCO MDA MHL MKD MLI MMR MNG MRT MSR MUS MWI MYS',
  'NAM NCL NER NFK NGA NIC NLD NOR NPL NRU NZL OMN PAN PER PHL PRI PSE QAT REU ROU RUS RWA SAU SDN SGP SHN SJM SLE SMR SOM SSD STP',
  'SXM SYR TCA TGO THA TJK TKL TLS TON TTO TWN TZA UGA UMI USA UZB VAT VCT VEN VGB VIR VNM VUT WSM YEM ZAF ZMB ZWE',
].join(' ');

/** Codes of three letters that are abbreviated otherwise, each with its code of two letters. */
const irregular = [
  'ABW:AW AGO:AO ALA:AX AND:AD ARE:AE ARM:AM ATA:AQ ATF:TF ATG:AG AUT:AT BDI:BI BEN:BJ BES:BQ BGD:BD BHS:BS BIH:BA BLR:BY BLZ:BZ',
  'BRB:BB BRN:BN CAF:CF CHL:CL CHN:CN COD:CD COG:CG COK:CK COM:KM CPV:CV CUW:CW CYM:KY DNK:DK ESH:EH EST:EE FLK:FK FRO:FO FSM:FM',
  'GIN:GN GLP:GP GNB:GW GNQ:GQ GRD:GD GRL:GL GUF:GF GUY:GY IRL:IE IRQ:IQ ISR:IL JAM:JM KAZ:KZ KOR:KR LBR:LR LBY:LY MAC:MO MAF:MF',
  'MDG:MG MDV:MV MEX:MX MLT:MT MNE:ME MNP:MP MOZ:MZ MTQ:MQ MYT:YT NIU:NU PAK:PK PCN:PN PLW:PW PNG:PG POL:PL PRK:KP PRT:PT PRY:PY',
  'PYF:PF SEN:SN SGS:GS SLB:SB SLV:SV SPM:PM SRB:RS SUR:SR SVK:SK SVN:SI SWE:SE SWZ:SZ SYC:SC TCD:TD TKM:TM TUN:TN TUR:TR TUV:TV',
  'UKR:UA URY:UY WLF:WF',
].join(' ');

const alpha2ByAlpha3: ReadonlyMap<string, string> = new Map([
  ...regular.split(' ').map((code): [string, string] => [code, code.slice(0, 2)]),
  ...irregular.split(' ').map((pair): [string, string] => [pair.slice(0, 3), pair.slice(4)]),
]);

/**
 * ISO 3166-1 alpha-2 of an alpha-3 code: AfterShip names countries by three letters, zones and addresses go by two.
 * @returns undefined when it is no code of a country
 */
function alpha2Of(alpha3: unknown): string | undefined {
  return typeof alpha3 === 'string' ? alpha2ByAlpha3.get(alpha3.trim().toUpperCase()) : undefined;
}

const alpha3ByAlpha2: ReadonlyMap<string, string> = new Map([...alpha2ByAlpha3].map(([alpha3, alpha2]) => [alpha2, alpha3]));

/**
 * ISO 3166-1 alpha-3 of an alpha-2 code.
 * @returns undefined when it is no code of a country
 */
export function alpha3Of(alpha2: string): string | undefined {
  return alpha3ByAlpha2.get(alpha2.trim().toUpperCase());
}

/** Statuses by `tag`. "Delivered" alone ends the parcel's way; every other tag leaves it open. */
const afterShipTags: ReadonlyMap<string, AdminStatus> = codeTable<AdminStatus>({
  Pending: 'Pending',
  'Info Received': 'InfoReceived',
  'In Transit': 'InTransit',
  'In Delivery': 'OutForDelivery',
  'Delivery Attempted': 'AttemptFail',
  'Delivery Success': 'Delivered',
  'Available for Pickup': 'AvailableForPickup',
  Exception: 'Exception Expired',
});

/**
 * Statuses by `subtag`, which decides over `tag`. Sources: the vendor's pages "Delivery Sub-statuses" and "Learn About Delivery
 * Sub-Status".
 */
const afterShipSubtags: ReadonlyMap<string, AdminStatus> = codeTable<AdminStatus>({
  Pending: 'Pending_001 Pending_002 Pending_003 Pending_004 Pending_005 Pending_006',
  'Info Received': 'InfoReceived_001',
  // The carrier accepts the parcel.
  'Picked Up': 'InTransit_002',
  // At a hub, in the country of destination, on from a hub, a problem is resolved, another address; 011 to 013 are new in 2026-07.
  'In Transit':
    'InTransit_001 InTransit_003 InTransit_004 InTransit_007 InTransit_008 InTransit_009 InTransit_011 InTransit_012 InTransit_013',
  // Customs release it, have it, delay it; documents are missing or wrong.
  'Customs Clearance': 'InTransit_005 InTransit_006 Exception_004 Exception_018',
  // The recipient is contacted; an appointment is made.
  'In Delivery': 'OutForDelivery_001 OutForDelivery_003 OutForDelivery_004',
  // AvailableForPickup_001 replaced OutForDelivery_002, which old webhook versions may still send.
  'Available for Pickup': 'AvailableForPickup_001 OutForDelivery_002',
  // No reason; nobody there; business closed.
  'Delivery Attempted': 'AttemptFail_001 AttemptFail_002 AttemptFail_003',
  // Delivered; fetched by the recipient; signed; paid on delivery; to a neighbour.
  'Delivery Success': 'Delivered_001 Delivered_002 Delivered_003 Delivered_004 Delivered_005',
  // No reason, recipient moved, refuses; other delay, held for payment, wrong address, not fetched, against the rules, damaged; delays of network,
  // weather and flight.
  Exception:
    'Exception_001 Exception_002 Exception_003 Exception_005 Exception_006 Exception_007 Exception_008 Exception_009 Exception_012 ' +
    'Exception_016 Exception_017 Exception_019 Expired_001',
  Returning: 'Exception_010',
  'Parcel Return to Origin': 'Exception_011',
  // Lost; cancelled; disposed of.
  'Delivery Failure': 'Exception_013 Exception_020 Exception_021',
});

/**
 * The tag that a row counts as: the beginning of its subtag. Only a known subtag is a delivery against its tag: with an unknown one, both
 * must say "Delivered" or one be missing.
 */
function mainTagOf(tag: string, subtag: string): string | undefined {
  const beginning = subtag.split('_', 1)[0] ?? '';
  if (afterShipSubtags.has(subtag)) return beginning;
  if (subtag === '' || (beginning === 'Delivered' && tag !== '')) return tag;
  if (afterShipTags.has(beginning)) return beginning;
  return tag === 'Delivered' ? undefined : tag;
}

/**
 * Management status of a row. Rules: the subtag decides; an unknown subtag counts as what it begins with,
 * and ends no way that its tag leaves open; an unknown tag is In Transit.
 * @param tag such as `InTransit`; empty when there is none
 * @param subtag such as `InTransit_007`; empty when there is none
 */
function adminStatusOfAfterShip(tag: string, subtag = ''): ReadStatus {
  const decided = afterShipSubtags.get(subtag);
  if (decided !== undefined) return { adminStatus: decided, isKnown: true };
  const adminStatus = afterShipTags.get(mainTagOf(tag, subtag) ?? '');
  return { adminStatus: adminStatus ?? 'In Transit', isKnown: adminStatus !== undefined && subtag === '' };
}

const NO_CODE = '(no code)';

/** Words of a text between blanks, so that a name is found in a longer one as a whole. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** A readable place, most specific first. `location` often names city and country already; nothing is said twice. */
function addressOf(checkpoint: Fields): string {
  const field = (name: string): string => cleanText(checkpoint[name], 500);
  const country = alpha2Of(checkpoint['country_region']);
  let address = field('location');
  for (const part of [field('city'), field('state')])
    if (part !== '' && !wordsOf(address).includes(wordsOf(part))) address = address === '' ? part : `${address}, ${part}`;
  const names = [country ?? '', field('country_region'), field('country_region_name')].filter((name) => name !== '');
  const [name] = country === undefined ? names.slice(-1) : names;
  if (name !== undefined && !names.some((known) => wordsOf(address).includes(wordsOf(known))))
    address = address === '' ? name : `${address}, ${name}`;
  return cleanText(address, 500);
}

/**
 * A checkpoint as a row of the trace.
 * @param orderNo the parcel's number, for every row: the numbers of its legs come later than their rows, which would be stored twice
 */
function rowOf(checkpoint: Fields, orderNo: string): ReadRow | undefined {
  const [tag, subtag] = [cleanText(checkpoint['tag'], 200), cleanText(checkpoint['subtag'], 200)];
  const content = cleanText(checkpoint['message'], 2000) || cleanText(checkpoint['subtag_message'], 2000);
  const status = subtag || tag;
  if (status === '' && content === '') return undefined;
  // Expired is a state of the watch.
  if (mainTagOf(tag, subtag) === 'Expired') return undefined;
  const state = cleanText(checkpoint['state'], 100);
  const time = readSourceTime(checkpoint['checkpoint_time'], { country: alpha2Of(checkpoint['country_region']), state });
  const { adminStatus, isKnown } = adminStatusOfAfterShip(tag, subtag);
  return {
    orderNo,
    address: addressOf(checkpoint),
    content,
    status,
    adminStatus,
    time,
    unknownCode: isKnown ? undefined : status || NO_CODE,
  };
}

/** Checkpoints without those that come a second time, by the `hash` that 2026-07 gives them. */
function withoutRepeats(checkpoints: readonly unknown[]): unknown[] {
  const hashes = new Set<string>();
  return checkpoints.filter((checkpoint) => {
    const hash = isFields(checkpoint) ? checkpoint['hash'] : undefined;
    if (typeof hash !== 'string' || hash === '') return true;
    if (hashes.has(hash)) return false;
    hashes.add(hash);
    return true;
  });
}

/**
 * Translates a tracking of AfterShip, as `data` of `GET /trackings/:id`, an element of `data.trackings` and `msg` of a push hold it. The
 * status of the tracking itself makes no node: it may be Expired, which is a state of the watch.
 * @throws Error when it is no tracking
 */
export function translateAfterShip(raw: unknown, parcel: SourceParcel): Trace {
  if (!isFields(raw) || cleanText(raw['tracking_number'], 100) === '') throw new Error('The response is no tracking of AfterShip');
  const checkpoints = raw['checkpoints'] ?? [];
  if (!Array.isArray(checkpoints)) throw new Error('The checkpoints of the tracking are no list');
  const orderNo = cleanText(parcel.trackingNumber, 100);
  return readRows(withoutRepeats(checkpoints), 'last', (checkpoint) => rowOf(checkpoint, orderNo));
}
