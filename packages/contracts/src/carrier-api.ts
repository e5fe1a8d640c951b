import Type, { type Static } from 'typebox';
import { confidences, MAX_CANDIDATES } from './carrier-detection/candidate.ts';
import { logisticsNumber, oneOf } from './text.ts';
import { Warning } from './warnings.ts';

/** Query parameter of the detection of carriers. */
export const CarrierDetectionQuery = Type.Object(
  { tracking_number: logisticsNumber('Tracking number as it is printed or written. Compared in upper case without spaces and hyphens') },
  { $id: 'CarrierDetectionQuery' },
);
export type CarrierDetectionQuery = Static<typeof CarrierDetectionQuery>;

/** A carrier that may have given a tracking number. */
export const CarrierCandidate = Type.Object(
  {
    carrier_code: Type.String({ description: "The platform's code of the carrier" }),
    carrier_name: Type.String(),
    confidence: oneOf(
      confidences,
      'high: the form is distinctive and the check digit is right; medium: the form is distinctive and has no known check digit, or it is a short prefix and the check digit is right; low: hardly more than the length fits',
    ),
    reason: Type.String({ description: 'What fits, as a sentence for people' }),
  },
  { $id: 'CarrierCandidate', title: 'Carrier candidate' },
);
export type CarrierCandidate = Static<typeof CarrierCandidate>;

/** `data` of the detection of carriers. */
export const CarrierDetection = Type.Object(
  {
    tracking_number: Type.String({ description: 'In upper case, without spaces and hyphens' }),
    candidates: Type.Array(CarrierCandidate, {
      description: `At most ${MAX_CANDIDATES}, best first, each carrier once; empty when the number has the form of no known format, or its check digit is wrong`,
    }),
    warnings: Type.Optional(
      Type.Array(Warning, {
        description:
          'A check digit that does not fit, and parameters of the query that are not known and were ignored, at most 20; absent when there is nothing to say',
      }),
    ),
  },
  { $id: 'CarrierDetection', title: 'Carrier detection' },
);
export type CarrierDetection = Static<typeof CarrierDetection>;
