import { hkdfSync, randomBytes } from 'node:crypto';
import { idFromSeed, newId } from '@parcelway/kernel/ids';
import { KEY_RANDOM_BYTES } from '../proxy/domain/api-key.ts';

/** What a new key is made of. */
export interface KeyOrigin {
  readonly keyId: string;
  /** As many as a key needs. */
  readonly random: Uint8Array;
}

/** The origin of a key that no other call makes again. */
export function newOrigin(): KeyOrigin {
  return { keyId: newId('key'), random: randomBytes(KEY_RANDOM_BYTES) };
}

/**
 * The origin of the key that all attempts at one request make. The store keeps the seed, so the key follows from a secret as well, which it does not keep.
 * @param secret of the installation
 * @param seed of the request
 */
export function originFromSeed(secret: string, seed: string): KeyOrigin {
  const random = hkdfSync('sha256', secret, '', `parcelway api key ${seed}`, KEY_RANDOM_BYTES);
  return { keyId: idFromSeed('key', seed), random: new Uint8Array(random) };
}
