import { compileValidator } from '@parcelway/contracts/validator';
import Type from 'typebox';

/** Where a carrier's interface is. */
export interface CarrierEndpoint {
  /** Address with `{tracking_number}` in it. */
  readonly url: string;
  /** Bearer token. */
  readonly token?: string | undefined;
}

/** Carrier code in lower case → endpoint. */
export type CarrierEndpoints = ReadonlyMap<string, CarrierEndpoint>;

const validator = compileValidator(
  Type.Record(
    Type.String(),
    Type.Object(
      {
        url: Type.String({ maxLength: 2048, pattern: '^https?://[^{}\\s]+\\{tracking_number\\}[^{}\\s]*$' }),
        token: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, pattern: '^[\\x21-\\x7e]+$' })),
      },
      { additionalProperties: false },
    ),
  ),
);

/**
 * Reads the carriers of an installation: a JSON object from carrier code to `{"url", "token"}`.
 * @param value undefined for none
 * @throws Error with a sentence that completes "CARRIERS …" and shows no token
 */
export function readCarrierEndpoints(value: string | undefined): CarrierEndpoints {
  if (value === undefined) return new Map();
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new Error('must be JSON such as {"dhl":{"url":"https://carrier.example/track/{tracking_number}","token":"…"}}');
  }
  const errors = validator.errors(parsed);
  if (errors.length > 0 || !validator.is(parsed)) {
    throw new Error(
      `must give each carrier a url with {tracking_number} after the host, and optionally a token; wrong: ${errors.map(({ field }) => field || 'the whole').join(', ')}`,
    );
  }
  return new Map(Object.entries(parsed).map(([code, endpoint]) => [code.toLowerCase(), endpoint]));
}
