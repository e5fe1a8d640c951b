import { carrierCodes, carrierKeyOf } from '../fields.ts';

/** EasyPost's names of carriers that it tracks ("Carrier Tracking Strings", from an older page), each found by its own letters. */
const names =
  'AmazonMws APC Asendia AsendiaUsa AustraliaPost BetterTrucks Cainiao CanadaPost Canpar Chronopost DaiPost DeutschePost DeutschePostUK ' +
  'DHLEcommerceAsia DhlEcs DHLExpress DPD DPDUK ePostGlobal Estafeta Fastway FedEx FirstMile Hermes JPPost KuronekoYamato LaPoste ' +
  'LaserShipV2 LSO OnTrac Parcelforce PassportGlobal PostNL Purolator RoyalMail SFExpress StarTrack TForce UDS UPS UPSIparcel ' +
  'UPSMailInnovations USPS Veho Yanwen';

/** Other words for a carrier, with EasyPost's name of it. Evri was Hermes, and EasyPost calls it so. */
const synonyms =
  'colissimo:LaPoste dhlecommerce:DhlEcs dhlecommercesolutions:DhlEcs dhlecommerceus:DhlEcs evri:Hermes japanpost:JPPost ' +
  'lasership:LaserShipV2 passport:PassportGlobal sf:SFExpress';

/** EasyPost's name of the carrier of a dispatch. */
export const carrierNameOfEasyPost = carrierCodes(`${names.replaceAll(/\S+/g, (name) => `${carrierKeyOf(name)}:${name}`)} ${synonyms}`);
