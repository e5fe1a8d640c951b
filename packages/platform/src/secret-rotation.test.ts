import { describe, expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import { PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { acceptedSecrets } from './accepted-secrets.ts';
import type { Environ } from './config.ts';
import { readSecrets } from './distributed-config.ts';

const OLD = 'o'.repeat(40);
const NEW = 'n'.repeat(40);
const FILE_SECRET = 'f'.repeat(40);

/** The variables of every process, step by step as docs/operate.md has them. */
const steps: readonly Environ[] = [
  { INTERNAL_SECRET: OLD },
  { INTERNAL_SECRET: OLD, INTERNAL_SECRET_PREVIOUS: NEW },
  { INTERNAL_SECRET: NEW, INTERNAL_SECRET_PREVIOUS: OLD },
  { INTERNAL_SECRET: NEW },
];

const principal: Principal = {
  kind: 'tenant',
  tenantId: 'tnt_1',
  warehouseCode: null,
  keyId: 'key_1',
  scopes: [],
  environment: 'sandbox',
};

const NAMES = ['gateway-1', 'gateway-2', 'forecast-1', 'forecast-2'] as const;
type Name = (typeof NAMES)[number];

/** A process between two restarts: it signs, from its cache for a while, and verifies. */
interface Running {
  readonly signer: PrincipalSigner;
  readonly verifier: PrincipalVerifier;
  /** The same object, as the gateway has for a key that it knows: its signature is cached. */
  readonly known: Principal;
}

/** Every order in which the processes may be restarted. */
function ordersOf(names: readonly Name[]): Name[][] {
  if (names.length <= 1) return [[...names]];
  return names.flatMap((first) => ordersOf(names.filter((name) => name !== first)).map((rest) => [first, ...rest]));
}

class Fleet {
  now = 1_000_000;
  readonly #running = new Map<Name, Running>();
  /** Tokens that were signed and may still be on their way. */
  #onTheWay: { readonly token: string; readonly signedAt: number }[] = [];

  restart(name: Name, env: Environ): void {
    const secrets = readSecrets({ ...env, FILE_SECRET });
    const clock = { now: () => this.now };
    this.#running.set(name, {
      signer: new PrincipalSigner(secrets.internalSecret, clock),
      verifier: new PrincipalVerifier(acceptedSecrets(secrets), clock, 'sandbox'),
      known: { ...principal },
    });
  }

  /** Everybody calls everybody; what was sent up to half a minute ago arrives only now. */
  callAll(): void {
    for (const { signer, known } of this.#running.values()) this.#onTheWay.push({ token: signer.sign(known), signedAt: this.now });
    this.#onTheWay = this.#onTheWay.filter(({ signedAt }) => this.now - signedAt < 30_000);
    for (const { verifier } of this.#running.values()) for (const { token } of this.#onTheWay) verifier.verify(token);
  }
}

describe('rotation of the internal secret', () => {
  test.each(ordersOf(NAMES).map((order) => [order.join(', '), order] as const))(
    'refuses no call when restarted in the order %s',
    (_, order) => {
      const fleet = new Fleet();
      for (const name of NAMES) fleet.restart(name, steps[0] as Environ);
      fleet.callAll();
      for (const step of steps.slice(1)) {
        for (const name of order) {
          fleet.restart(name, step);
          fleet.callAll();
          fleet.now += 10_000;
          fleet.callAll();
        }
        // The pause between two steps: a principal is good for a minute.
        fleet.now += 60_000;
        fleet.callAll();
      }
    },
  );

  test('without the step in between calls are refused, and after the last one so is the old secret', () => {
    const fleet = new Fleet();
    for (const name of NAMES) fleet.restart(name, steps[0] as Environ);
    fleet.restart('forecast-1', steps[3] as Environ);
    expect(() => fleet.callAll()).toThrow('signature of the principal is not valid');
    for (const name of NAMES) fleet.restart(name, steps[3] as Environ);
    fleet.restart('gateway-1', steps[0] as Environ);
    expect(() => fleet.callAll()).toThrow('signature of the principal is not valid');
  });

  test('a secret that is too short is refused at the start, by its name', () => {
    expect(() => readSecrets({ INTERNAL_SECRET: OLD, INTERNAL_SECRET_PREVIOUS: 'short', FILE_SECRET })).toThrow(
      /INTERNAL_SECRET_PREVIOUS must have/,
    );
    expect(acceptedSecrets(readSecrets({ INTERNAL_SECRET: OLD, INTERNAL_SECRET_PREVIOUS: '', FILE_SECRET }))).toEqual([OLD]);
  });
});
