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
export function alpha2Of(alpha3: unknown): string | undefined {
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
