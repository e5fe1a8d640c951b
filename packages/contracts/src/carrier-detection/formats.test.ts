import { describe, expect, test } from '@jest/globals';
import { carrierNames, formats, type NumberFormat } from './formats.ts';

/**
 * Of each format: a number in it, and one that is not. The second differs in the check digit where there is one, else in the form.
 * Numbers with a check digit come from public lists of samples or the carrier's pages; those without are invented.
 */
const samples: readonly (readonly [name: string, valid: string, invalid: string])[] = [
  ['UPU S10', 'RB123456785GB', 'RB123456786GB'],
  ['UPS 1Z', '1Z999AA10123456784', '1Z999AA10123456785'],
  ['UPS waybill', 'K2479825491', 'K2479825492'],
  ['UPS Mail Innovations', 'MI123456ABC7', 'MI12345'],
  ['FedEx Express 12', '986578788855', '996578788855'],
  ['FedEx Ground 15', '041441760228964', '041441760228965'],
  ['FedEx SmartPost 20', '61299998820821171811', '61299998820821171812'],
  ['FedEx Ground 96', '9611020987654312345672', '9600000000000000000001'],
  ['FedEx 34', '1001921334250001000300779017972697', '1001901781990001000300617767839438'],
  ['FedEx DT', 'DT123456789012', 'DT12345678901'],
  ['Parcel Select of a partner', '9261290336128704042634', '9261290336128704042635'],
  ['DHL Express waybill', '3318810025', '3318810010'],
  ['DHL Express piece', 'JJD0099999999', 'JJD009999999A'],
  ['DHL eCommerce JD', 'JD014600000000000001', 'JD01460000000000000'],
  ['DHL eCommerce GM', 'GM2951173225174494', 'GMA951173225174494'],
  ['DHL eCommerce by country', 'LX123456789012', 'LX12345678901'],
  ['DHL eCommerce 14', '60120172242323', '6012017224232'],
  ['Amazon TBA', 'TBA502887274000', 'TBB502887274000'],
  ['Amazon international', 'C1004444443', 'D1234567890'],
  ['USPS IMpb', '9400111206206406260787', '9434611206206407667131'],
  ['USPS IMpb with the postcode', '420787459400111206206406260787', '420787459400111206206406260788'],
  ['USPS IMpb with the postcode', '4201028200009261290113185417468510', '4201028200009261290113185417468511'],
  ['USPS 20', '71123456789123456787', '71123456789123456788'],
  ['USPS 20 of a number with 91', '71969010756003077385', '71969010756003077386'],
  ['Canada Post 16', '7035114477138472', '7035114477138471'],
  ['Purolator 12', '320595463938', '320595463939'],
  ['Purolator with letters', 'KYV009956937', 'KY009956937'],
  ['OnTrac C', 'C11031500001879', 'C11031500001889'],
  ['OnTrac D', 'D10011354453707', 'D10011342332144'],
  ['LaserShip L', 'LX17635036', 'LX97635036'],
  ['LaserShip 1LS', '1LS717793482164', '1LX717793482164'],
  ['GOFO', 'GFUS01011884214464', 'GFUS0101188421446'],
  ['UniUni', 'UUS5B60564241706199', 'UUS5B6056424170619'],
  ['SpeedX', 'SPXMIA056759629631', 'SPXMIA05675962963'],
  ['Spee-Dee', 'SP029692510000920746', 'SX029692510000920746'],
  ['Canpar', 'D576002440000001718010', 'M576002440000002510003'],
  ['Landmark Global', 'LTN74207623N1', 'LTN74207623N2'],
  ['DHL Paket 20', '00340433836442636597', '00340433836442636598'],
  ['DHL Paket JJD', 'JJD1410302937991', 'JJD141030293799'],
  ['DHL Paket 12', '563102430313', '563102430314'],
  ['Hermes 14', '09133131530724', '09133131530725'],
  ['Hermes H', 'H1234567890123456789', 'H123456789012345678'],
  ['DPD 28 with a check letter', '008182709980000020033350276C', '008182709980000020033350276A'],
  ['DPD 28 with a check digit', '0081827099800000200033502763', '0081827099800000200033502764'],
  ['DPD 14 with a check letter', '09980000020033F', '09980000020033D'],
  ['DPD 14 with a check digit', '099800000200289', '099800000200288'],
  ['DPD 14', '09980000020033', '0998000002003'],
  ['GLS 12', '123456789011', '123456789012'],
  ['GLS 11', '12345678901', '1234567890'],
  ['GLS Track ID', 'XHAX4HDA', 'DELIVERY'],
  ['Yodel', 'JD0002242617644732', 'JC0002254405060992'],
  ['Evri', 'H00A123456789012', 'K00A123456789012'],
  ['PostNL 3S', '3SABCD987446630', '3SABCD98744663'],
  ['DHL eCommerce 3S', '3SABC1234567890', '3SABC123456789'],
  ['Colissimo', '6A12345678901', '6B12345678901'],
  ['La Poste 13', '2C12345678901', '1C12345678901'],
  ['bpost 24', '323211216300000593107030', '323311216300000593107030'],
  ['Swiss Post 18', '993412345612345678', '973412345612345678'],
  ['InPost 24', '612345678901234567890123', '712345678901234567890123'],
  ['Posti', 'JJFI65432100000000001', 'JJFA65432100000000001'],
  ['YunExpress', 'YT2229521272164446', 'YT222952127216444'],
  ['4PX', '4PX3001234567890CN', '4PY3001234567890CN'],
  ['Cainiao LP', 'LP12345678901234', 'LP1234567890123'],
  ['4PX by the LP number of Cainiao', 'LP00492755414105', 'LP10492755414105'],
  ['Cainiao', 'CNG00798678939847', 'CNG0079867893984'],
  ['Yanwen', 'UL419194573YP', 'UL41919457YP'],
  ['WanbExpress', 'WNBAA0202970436YQ', 'WNBAA0202970436YP'],
  ['Sunyou', 'SYAE100000001', 'SYA100000001'],
  ['SF Express', 'SF1234567890123', 'SF12345678901'],
  ['SF Express 12', '123456789012', '12345678901'],
  ['YTO', 'YT1234567890123', 'YT123456789012'],
  ['JD Logistics', 'JDVA12345678901', 'JDVAA2345678901'],
  ['J&T', 'JT1234567890123', 'JT123456789012'],
  ['Deppon', 'DPK123456789012', 'DPM123456789012'],
  ['ZTO 14', '73530012345678', '79530012345678'],
  ['STO 15', '773001234567890', '783001234567890'],
  ['Yunda 15', '434150012345678', '534150012345678'],
  ['SPX Express', 'SPXVN012345678901', 'SPXV012345678901'],
  ['Yamato 12', '410569991366', '410569991367'],
  ['eParcel article', 'ABC1234567011234', 'AB12345670112345'],
  ['eParcel consignment', 'ABC1234567', 'ABC123456'],
];

/** True when a number has the form of the format and its check digit, if there is one, is right. */
function fits({ expression, checkDigit, carriers }: NumberFormat, trackingNumber: string): boolean {
  const found = expression.exec(trackingNumber);
  if (found === null) return false;
  if (carriers(trackingNumber).length === 0) return false;
  return checkDigit === undefined || checkDigit(found.groups?.['body'] ?? '') === found.groups?.['check'];
}

const named = (name: string): readonly NumberFormat[] => formats.filter((format) => format.name === name);

describe('the number formats', () => {
  test.each(samples)('%s has %s and not %s', (name, valid, invalid) => {
    expect(named(name).some((format) => fits(format, valid))).toBe(true);
    expect(named(name).some((format) => fits(format, invalid))).toBe(false);
  });

  test('each have a sample', () => {
    for (const format of formats) {
      expect([format.name, samples.some(([name, valid]) => name === format.name && fits(format, valid))]).toEqual([format.name, true]);
    }
  });

  test('are anchored, keep no state, and name the parts that a check digit needs', () => {
    for (const { expression, checkDigit } of formats) {
      expect(expression.source).toMatch(/^\^.*\$$/);
      expect(expression.flags).toBe('');
      expect(expression.source.includes('(?<body>') && expression.source.includes('(?<check>')).toBe(checkDigit !== undefined);
    }
  });

  test('have no quantifier without a limit inside another one', () => {
    for (const { expression } of formats) expect(expression.source).not.toMatch(/[*+{][^(]*\)[*+{]/);
  });

  test('have carrier codes in lower case', () => {
    for (const code of Object.keys(carrierNames)) expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  });

  test('are not called distinctive when random digits alone could have the form', () => {
    for (const { name, expression, form } of formats) {
      const fixedDigits = /^\^\(?(?:\?<body>)?(\d+)/.exec(expression.source)?.[1] ?? '';
      const digitsAlone = !/[A-Z]/.test(expression.source);
      if (form === 'distinctive' && digitsAlone) expect([name, fixedDigits.length >= 3]).toEqual([name, true]);
    }
  });
});
