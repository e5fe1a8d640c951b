import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';

/** Header that carries the signed principal between the services. */
export const PRINCIPAL_HEADER = 'x-parcelway-principal';

/** A token lives this long; the signer renews it well before. */
const LIFETIME_MS = 60_000;
const RENEW_MS = 30_000;
const MAX_CACHED = 10_000;

function signature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`principal\n${body}`).digest('base64url');
}

/** Signs principals; one signature per principal object and half minute, so that the request path pays a map look-up. */
export class PrincipalSigner {
  readonly #secret: string;
  readonly #clock: Clock;
  readonly #cache = new WeakMap<Principal, { token: string; renewAt: number }>();

  /** @param secret shared by the services of one installation, at least 32 characters */
  constructor(secret: string, clock: Clock) {
    if (secret.length < 32) throw new Error('The internal signing secret must have at least 32 characters');
    this.#secret = secret;
    this.#clock = clock;
  }

  /** The token of a principal: base64url(JSON) and HMAC-SHA256, valid for a minute. */
  sign(principal: Principal): string {
    const now = this.#clock.now();
    const cached = this.#cache.get(principal);
    if (cached && now < cached.renewAt) return cached.token;
    const body = Buffer.from(JSON.stringify({ ...principal, exp: now + LIFETIME_MS })).toString('base64url');
    const token = `${body}.${signature(this.#secret, body)}`;
    this.#cache.set(principal, { token, renewAt: now + RENEW_MS });
    return token;
  }
}

/** Verifies tokens; remembers the good ones until they expire. */
export class PrincipalVerifier {
  readonly #secrets: readonly string[];
  readonly #clock: Clock;
  readonly #environment: Environment;
  readonly #verified = new Map<string, { principal: Principal; exp: number }>();

  /**
   * @param secrets the current secret first; a former one may follow during a rotation
   * @param environment the only one whose principals are accepted: two environments may share a secret by mistake
   */
  constructor(secrets: readonly string[], clock: Clock, environment: Environment) {
    this.#secrets = secrets;
    this.#clock = clock;
    this.#environment = environment;
  }

  /**
   * The principal of a token.
   * @throws AppError 40101 when there is none, 40003 when it is forged, expired or of the other environment
   */
  verify(token: string | undefined): Principal {
    if (token === undefined) throw new AppError('40101', 'This service accepts only requests from the gateway');
    const now = this.#clock.now();
    const known = this.#verified.get(token);
    if (known) {
      if (now < known.exp) return known.principal;
      this.#verified.delete(token);
      throw new AppError('40003', 'The principal has expired');
    }
    const [body = '', given = '', ...more] = token.split('.');
    const isSigned = this.#secrets.some((secret) => {
      const expected = Buffer.from(signature(secret, body));
      const actual = Buffer.from(given);
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
    if (!isSigned || more.length > 0) throw new AppError('40003', 'The signature of the principal is not valid');
    const { exp, ...principal } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Principal & { exp: number };
    if (now >= exp) throw new AppError('40003', 'The principal has expired');
    if (principal.environment !== this.#environment) {
      throw new AppError('40003', `The principal is of ${principal.environment}; this service is of ${this.#environment}`);
    }
    if (this.#verified.size >= MAX_CACHED) this.#verified.clear();
    this.#verified.set(token, { principal, exp });
    return principal;
  }
}
