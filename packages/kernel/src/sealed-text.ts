import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Bytes of the initialisation vector and of the tag of AES-256-GCM (NIST SP 800-38D, 8.2 and 5.2.1.2). */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 6;
const VERSION = 's1';

interface Key {
  /** Names the key in what it has sealed, and says nothing of it. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** Derives initialisation vectors from texts. */
  readonly forVectors: Uint8Array;
}

function keyOf(secret: string): Key {
  const derive = (purpose: string, length: number): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', secret, '', `parcelway sealed text ${purpose}`, length));
  return {
    id: Buffer.from(derive('id', KEY_ID_BYTES)).toString('base64url'),
    bytes: derive('key', KEY_BYTES),
    forVectors: derive('vector', KEY_BYTES),
  };
}

/** Seals texts that a store keeps and nobody else may read, such as credentials. */
export interface TextSealer {
  /**
   * Seals a text with the current secret. Two times the same text give two different results.
   * @param place where the result is kept, such as a table and a key: it opens nowhere else
   * @returns `s1.<key>.<base64url>`
   */
  seal(text: string, place: string): string;
  /**
   * As {@link seal}, but the same text for the same place gives the same result, so that results can be compared. It shows whoever reads the store which
   * texts of one place are equal, and nothing else.
   */
  sealSame(text: string, place: string): string;
  /**
   * The text that was sealed.
   * @throws Error when it was sealed with another secret, for another place, or was changed since. The message says nothing of the text
   */
  open(sealed: string, place: string): string;
  /** False for what was sealed with a former secret: seal it again, and the former secret is not needed any more. */
  isCurrent(sealed: string): boolean;
}

/**
 * Makes a sealer: AES-256-GCM with keys derived from secrets (HKDF, RFC 5869).
 * @param secrets the current one first, and during a rotation the former one; of at least 32 characters each
 * @throws RangeError for no secret, or one that is too short
 */
export function createTextSealer(secrets: readonly string[]): TextSealer {
  if (secrets.length === 0 || secrets.some((secret) => secret.length < KEY_BYTES)) {
    throw new RangeError(`A secret that seals texts has at least ${KEY_BYTES} characters`);
  }
  const keys = secrets.map(keyOf);
  const current = keys[0] as Key;
  const bound = (place: string, id: string): Buffer => Buffer.from(`${VERSION}\n${id}\n${place}`, 'utf8');
  const sealWith = (iv: Uint8Array, text: string, place: string): string => {
    const cipher = createCipheriv('aes-256-gcm', current.bytes, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(bound(place, current.id));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${current.id}.${sealed.toString('base64url')}`;
  };
  return {
    seal: (text, place) => sealWith(randomBytes(IV_BYTES), text, place),
    // A vector that follows from text and place is used again for the same text alone, which gives the same result (RFC 8452, 1: why that is safe).
    sealSame(text, place) {
      const vector = createHmac('sha256', current.forVectors)
        .update(JSON.stringify([place, text]))
        .digest();
      return sealWith(vector.subarray(0, IV_BYTES), text, place);
    },
    open(sealed, place) {
      const [version, id, content = '', ...rest] = sealed.split('.');
      const key = keys.find((one) => one.id === id);
      if (version !== VERSION || rest.length > 0) throw new Error('This is no sealed text');
      if (key === undefined) throw new Error(`The secret with the id ${id} is not set: it sealed this text`);
      const bytes = Buffer.from(content, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error('This is no sealed text');
      const tagAt = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(bound(place, key.id)).setAuthTag(bytes.subarray(tagAt));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, tagAt)), decipher.final()]).toString('utf8');
      } catch {
        // The reason of the library says no more than that the tag differs.
        throw new Error('The sealed text was changed, or was sealed for another place');
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${VERSION}.${current.id}.`),
  };
}
