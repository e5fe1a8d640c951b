import { ParcelwayConnectionError } from './parcelway-error.ts';

/** Errors of Node after which nothing has left this machine. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);
/** Errors of Node about a certificate that no known authority has signed, or that is for another name. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_TLS_CERT/;

/** What a failed connection is to a caller. @param origin such as `https://localhost:8443` */
export function connectionErrorOf(cause: unknown, origin: string): ParcelwayConnectionError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (UNSENT.has(code)) {
    return new ParcelwayConnectionError('unreachable', `Cannot reach the platform at ${origin} (${code}); check baseUrl`, cause);
  }
  if (UNTRUSTED.test(code)) {
    const todo = 'pass the certificate of its authority as `ca`; for a local installation, ca_file in quickstart.json names the file';
    return new ParcelwayConnectionError('untrusted_certificate', `The certificate of ${origin} is not trusted (${code}): ${todo}`, cause);
  }
  return new ParcelwayConnectionError(
    'connection_lost',
    `The connection to ${origin} ended before the response (${code || message})`,
    cause,
  );
}
