import { expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import { PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Environ } from './config.ts';
import { readSecrets } from './distributed-config.ts';

const [OLD, NEW, FILE_SECRET] = ['o', 'n', 'f'].map((letter) => letter.repeat(40)) as [string, string, string];

/** The variables of every process, step by step as docs/operate.md has them. */
const steps: readonly Environ[] = [
  { INTERNAL_SECRET: OLD },
  { INTERNAL_SECRET: OLD, INTERNAL_SECRET_PREVIOUS: NEW },
  { INTERNAL_SECRET: NEW, INTERNAL_SECRET_PREVIOUS: OLD },
  { INTERNAL_SECRET: NEW },
];

const principal: Principal = {
  ...{ kind: 'tenant', tenantId: 'tnt_1', warehouseCode: null, keyId: 'key_1', scopes: [], environment: 'sandbox' },
};
const clock = new ManualClock(1_000_000);

/** Whether a process at one step of the rotation of the internal secret accepts what a process at another has signed. */
function accepts(verifying: number, signing: number): boolean {
  const [theirs, ours] = [signing, verifying].map((step) => readSecrets({ ...steps[step], FILE_SECRET }).internalSecrets);
  const token = new PrincipalSigner((theirs as readonly [string])[0], clock).sign(principal);
  try {
    new PrincipalVerifier(ours as readonly string[], clock, 'sandbox').verify(token);
    return true;
  } catch {
    return false;
  }
}

test('while processes are restarted for a step of a rotation, in any order, each accepts what the others sign', () => {
  for (const step of [1, 2, 3]) expect([accepts(step, step - 1), accepts(step - 1, step)]).toEqual([true, true]);
  expect([accepts(3, 0), accepts(0, 3)]).toEqual([false, false]);
});
