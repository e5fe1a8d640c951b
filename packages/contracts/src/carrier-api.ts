import Type, { type Static } from 'typebox';
import { confidences, MAX_CANDIDATES } from './carrier-detection/candidate.ts';
import { object, titled } from './object.ts';
import { logisticsNumber, oneOf } from './text.ts';
import { queryWarnings, Warning } from './warnings.ts';

/** Query parameter of the detection of carriers. */
export const CarrierDetectionQuery = object('CarrierDetectionQuery', {
  tracking_number: logisticsNumber(
    'Tracking number as it is printed or written. Compared in upper case without spaces, hyphens and invisible characters',
  ),
});

/** A carrier that may have given a tracking number. */
export const CarrierCandidate = titled('CarrierCandidate', 'Carrier candidate', {
  carrier_code: Type.String({ description: "The platform's code of the carrier" }),
  carrier_name: Type.String(),
  confidence: oneOf(
    confidences,
    'high: the form is distinctive and the check digit is right; medium: the form is distinctive and has no known check digit, or it is a short prefix and the check digit is right; low: hardly more than the length fits',
  ),
  reason: Type.String({ description: 'What fits, as a sentence for people' }),
});

/** `data` of the detection of carriers. */
export const CarrierDetection = titled('CarrierDetection', 'Carrier detection', {
  tracking_number: Type.String({ description: 'In upper case, without spaces, hyphens and invisible characters' }),
  candidates: Type.Array(CarrierCandidate, {
    description: `At most ${MAX_CANDIDATES}, best first, each carrier once; empty when the number has the form of no known format, or its check digit is wrong`,
  }),
  warnings: Type.Optional(
    Type.Array(Warning, {
      description:
        'A check digit that does not fit, and parameters of the query that are not known and were ignored, at most 20; absent when there is nothing to say',
    }),
  ),
});
export type CarrierDetection = Static<typeof CarrierDetection>;

/** Carriers that the list names at most. */
export const MAX_CARRIERS_LISTED = 1000;
/** Whose account a carrier is asked with. */
export const carrierServers = ['own', 'platform'] as const;

/** A carrier that somebody serves. */
export const ServedCarrier = titled('ServedCarrier', 'Served carrier', {
  carrier_code: Type.String({ description: 'In lower case' }),
  served_by: oneOf(carrierServers, 'own: a connection of yours; platform: the operator of the platform'),
  source: Type.String({ description: 'What is asked first, such as `17track`; `generic` for an interface of the carrier itself' }),
});

/** `data` of the list of carriers. */
export const CarrierList = titled('CarrierList', 'Carrier list', {
  carriers: Type.Array(ServedCarrier, {
    description: `Carriers that a connection names, by code, each once; at most ${MAX_CARRIERS_LISTED}`,
  }),
  serves_all: Type.Boolean({ description: 'True when a connection serves every carrier, those that are not listed too' }),
  simulated: Type.Optional(
    Type.Literal(true, { description: 'Sandbox only: a carrier that nothing serves is simulated. Absent in production' }),
  ),
  warnings: queryWarnings,
});
export type CarrierList = Static<typeof CarrierList>;

/** `data` of the list of carriers for a warehouse. */
export const WarehouseCarriers = titled('WarehouseCarriers', 'Carriers for a warehouse', {
  carriers: Type.Array(Type.String({ description: 'Carrier code in lower case' }), {
    description: `Codes that the connections of the platform name, each once; at most ${MAX_CARRIERS_LISTED}`,
  }),
  warnings: queryWarnings,
});
export type WarehouseCarriers = Static<typeof WarehouseCarriers>;
