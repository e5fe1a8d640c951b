/** A carrier as this product names it: the code is what a dispatch may give as its carrier code. */
export interface Carrier {
  readonly code: string;
  readonly name: string;
}

/** Posts with a well-known name, by the country of the S10 number. */
const namedPosts: readonly (readonly [country: string, code: string, name: string])[] = [
  ['AE', 'emirates-post', 'Emirates Post'],
  ['AT', 'austrian-post', 'Austrian Post'],
  ['AU', 'australia-post', 'Australia Post'],
  ['BE', 'bpost', 'bpost'],
  ['BR', 'correios', 'Correios'],
  ['CA', 'canada-post', 'Canada Post'],
  ['CH', 'swiss-post', 'Swiss Post'],
  ['CN', 'china-post', 'China Post'],
  ['CZ', 'ceska-posta', 'Česká pošta'],
  ['DE', 'deutsche-post', 'Deutsche Post'],
  ['DK', 'postnord', 'PostNord'],
  ['EE', 'omniva', 'Omniva'],
  ['ES', 'correos', 'Correos'],
  ['FI', 'posti', 'Posti'],
  ['FR', 'la-poste', 'La Poste'],
  ['GB', 'royal-mail', 'Royal Mail'],
  ['GR', 'elta', 'ELTA'],
  ['HK', 'hongkong-post', 'Hongkong Post'],
  ['HU', 'magyar-posta', 'Magyar Posta'],
  ['ID', 'pos-indonesia', 'Pos Indonesia'],
  ['IE', 'an-post', 'An Post'],
  ['IL', 'israel-post', 'Israel Post'],
  ['IN', 'india-post', 'India Post'],
  ['IT', 'poste-italiane', 'Poste Italiane'],
  ['JP', 'japan-post', 'Japan Post'],
  ['KR', 'korea-post', 'Korea Post'],
  ['LT', 'lithuania-post', 'Lithuania Post'],
  ['LU', 'post-luxembourg', 'POST Luxembourg'],
  ['LV', 'latvia-post', 'Latvijas Pasts'],
  ['MO', 'macao-post', 'Macao Post'],
  ['MX', 'correos-de-mexico', 'Correos de México'],
  ['MY', 'pos-malaysia', 'Pos Malaysia'],
  ['NL', 'postnl', 'PostNL'],
  ['NO', 'posten-norge', 'Posten Norge'],
  ['NZ', 'nz-post', 'NZ Post'],
  ['PH', 'phlpost', 'PHLPost'],
  ['PL', 'poczta-polska', 'Poczta Polska'],
  ['PT', 'ctt', 'CTT'],
  ['RO', 'posta-romana', 'Poșta Română'],
  ['RU', 'russian-post', 'Russian Post'],
  ['SA', 'saudi-post', 'Saudi Post'],
  ['SE', 'postnord', 'PostNord'],
  ['SG', 'singapore-post', 'Singapore Post'],
  ['SI', 'posta-slovenije', 'Pošta Slovenije'],
  ['SK', 'slovenska-posta', 'Slovenská pošta'],
  ['TH', 'thailand-post', 'Thailand Post'],
  ['TR', 'ptt', 'PTT'],
  ['TW', 'chunghwa-post', 'Chunghwa Post'],
  ['UA', 'ukrposhta', 'Ukrposhta'],
  ['US', 'usps', 'United States Postal Service'],
  ['VN', 'vietnam-post', 'Vietnam Post'],
  ['ZA', 'south-african-post', 'South African Post Office'],
];

/** Further members and territories of the Universal Postal Union, by ISO 3166-1 alpha-2 code. */
const otherCountries =
  'AD AF AG AI AL AM AO AR AS AW AX AZ BA BB BD BF BG BH BI BJ BL BM BN BO BQ BS BT BW BY BZ CD CF CG CI CK CL CM CO CR CU CV CW CY DJ DM DO DZ ' +
  'EC EG ER ET FJ FK FM FO GA GD GE GF GG GH GI GL GM GN GP GQ GT GU GW GY HN HR HT IM IQ IR IS JE JM JO KE KG KH KI KM KN KP KW KY KZ LA LB LC ' +
  'LI LK LR LS LY MA MC MD ME MF MG MH MK ML MM MN MP MQ MR MS MT MU MV MW MZ NA NC NE NF NG NI NP NR NU OM PA PE PF PG PK PM PN PR PS PW PY QA ' +
  'RE RS RW SB SC SD SH SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TJ TK TL TM TN TO TT TV TZ UG UY UZ VA VC VE VG VI VU WF WS XK YE YT ZM ZW';

const posts = new Map<string, Carrier>([
  ...otherCountries
    .split(' ')
    .map((country): [string, Carrier] => [country, { code: `post-${country.toLowerCase()}`, name: `Post of ${country}` }]),
  ...namedPosts.map(([country, code, name]): [string, Carrier] => [country, { code, name }]),
]);

const chinaEms: Carrier = { code: 'china-ems', name: 'China EMS' };
const chronopost: Carrier = { code: 'chronopost', name: 'Chronopost' };

/** Codes of all that give S10 numbers. */
export const postCodes: readonly string[] = [...posts.values(), chinaEms, chronopost].map(({ code }) => code);

/**
 * The carriers that give S10 numbers of this form, best first; empty for a country that is not in the Universal Postal Union.
 *
 * The first letter names the service (UPU S10, service indicator): E is express mail, which China EMS carries. Chronopost writes X.
 */
export function postsOf(trackingNumber: string): readonly Carrier[] {
  const country = trackingNumber.slice(-2);
  const post = posts.get(country);
  if (post === undefined) return [];
  if (country === 'CN' && trackingNumber.startsWith('E')) return [chinaEms, post];
  return country === 'FR' && trackingNumber.startsWith('X') ? [post, chronopost] : [post];
}
