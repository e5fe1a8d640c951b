import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeFileAtomically } from '@parcelway/platform/installation';

/** Certificate and private key, PEM, with the file that a client may trust. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  /** Path of the certificate: what `curl --cacert` takes. */
  readonly certFile: string;
}

const LIFETIME_DAYS = 825;
const RENEW_BEFORE_MS = 30 * 86_400_000;
const DAY_MS = 86_400_000;

async function makeCertificate(now: number): Promise<{ cert: string; key: string }> {
  const name = hostname();
  const names = [...new Set(['localhost', name])].filter((value) => /^[A-Za-z0-9.-]{1,253}$/.test(value));
  // Loaded here alone: no other start has to wait for its modules, and an installation makes a certificate once in years.
  const { generate } = await import('selfsigned');
  const pems = await generate([{ name: 'commonName', value: 'Parcelway self-signed' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // A day back, so that a client whose clock is a little behind trusts it too.
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + LIFETIME_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [...names.map((value) => ({ type: 2 as const, value })), { type: 7, ip: '127.0.0.1' }, { type: 7, ip: '::1' }],
      },
    ],
  });
  return { cert: pems.cert, key: pems.private };
}

/** The text of a file; undefined when there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * True for a certificate with its own key that lasts. A start that was killed while it renewed them leaves a pair that does
 * not belong together, and a lost power supply an empty file: either would keep every later start from succeeding.
 */
function isUsable(cert: string, key: string, now: number): boolean {
  try {
    const certificate = new X509Certificate(cert);
    return new Date(certificate.validTo).getTime() - RENEW_BEFORE_MS > now && certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/**
 * The installation's own certificate, made at the first start and again before it expires.
 * @param directory made when it does not exist
 * @param now epoch milliseconds
 */
export async function selfSignedMaterial(directory: string, now: number): Promise<TlsMaterial> {
  const certFile = join(directory, 'cert.pem');
  const keyFile = join(directory, 'key.pem');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const [cert, key] = await Promise.all([readIfThere(certFile), readIfThere(keyFile)]);
  if (cert !== undefined && key !== undefined && isUsable(cert, key, now)) return { cert, key, certFile };
  const made = await makeCertificate(now);
  writeFileAtomically(keyFile, made.key, 0o600);
  writeFileAtomically(certFile, made.cert, 0o644);
  return { ...made, certFile };
}

/**
 * A certificate that the operator gave.
 * @throws Error naming the variable whose file cannot be read
 */
export async function givenMaterial(certFile: string, keyFile: string): Promise<TlsMaterial> {
  const read = async (variable: string, file: string): Promise<string> => {
    try {
      return await readFile(file, 'utf8');
    } catch (cause) {
      throw new Error(`${variable} names ${file}, which cannot be read`, { cause });
    }
  };
  return { cert: await read('TLS_CERT_FILE', certFile), key: await read('TLS_KEY_FILE', keyFile), certFile };
}
