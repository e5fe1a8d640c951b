import namedPosts from './posts.json' with { type: 'json' };

/** A carrier as this product names it: the code is what a dispatch may give as its carrier code. */
export interface Carrier {
  readonly code: string;
  readonly name: string;
}

/** Further members and territories of the Universal Postal Union, by ISO 3166-1 alpha-2 code. */
const otherCountries =
  'AD AF AG AI AL AM AO AR AS AW AX AZ BA BB BD BF BG BH BI BJ BL BM BN BO BQ BS BT BW BY BZ CD CF CG CI CK CL CM CO CR CU CV CW CY DJ DM DO DZ ' +
  'EC EG ER ET FJ FK FM FO GA GD GE GF GG GH GI GL GM GN GP GQ GT GU GW GY HN HR HT IM IQ IR IS JE JM JO KE KG KH KI KM KN KP KW KY KZ LA LB LC ' +
  'LI LK LR LS LY MA MC MD ME MF MG MH MK ML MM MN MP MQ MR MS MT MU MV MW MZ NA NC NE NF NG NI NP NR NU OM PA PE PF PG PK PM PN PR PS PW PY QA ' +
  'RE RS RW SB SC SD SH SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TJ TK TL TM TN TO TT TV TZ UG UY UZ VA VC VE VG VI VU WF WS XK YE YT ZM ZW';

/** The post of each country of S10 numbers; posts.json has those with a well-known name. */
const posts = new Map<string, Carrier>([
  ...otherCountries
    .split(' ')
    .map((country): [string, Carrier] => [country, { code: `post-${country.toLowerCase()}`, name: `Post of ${country}` }]),
  ...Object.entries(namedPosts),
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
