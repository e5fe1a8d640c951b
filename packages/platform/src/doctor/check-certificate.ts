import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Environ } from '../config.ts';
import { describeMs } from './amounts.ts';
import { type Check, reasonOf, type Tell } from './check.ts';

const CONNECT_MS = 5000;
const DAY_MS = 86_400_000;
const SOON_MS = 21 * DAY_MS;

interface Served {
  readonly validTo: number;
  /** Why a client would not trust it; undefined when it would. */
  readonly distrust: string | undefined;
}

/** The certificate that is served at an address. */
function fetchCertificate(url: URL): Promise<Served> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    // Its end is to be told, whoever has signed it.
    const options = { host, port: Number(url.port || 443), rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) };
    const socket = connect(options, () => {
      const { valid_to } = socket.getPeerCertificate();
      resolve({ validTo: Date.parse(valid_to), distrust: socket.authorized ? undefined : String(socket.authorizationError) });
      socket.destroy();
    });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error(`no response within ${CONNECT_MS / 1000} s`)));
    socket.once('error', reject);
  });
}

/** Tells of the end of a certificate. `now` in epoch milliseconds. */
export function tellOfExpiry(tell: Tell, check: string, validTo: number, now: number): void {
  const left = validTo - now;
  const until = new Date(validTo).toISOString().slice(0, 10);
  if (left <= 0)
    tell.wrong(check, `expired on ${until}: clients refuse to connect`, 'Renew it; a gateway that serves it itself reads it at its start.');
  else if (left < SOON_MS)
    tell.warning(
      check,
      `expires on ${until}, in ${describeMs(left)}`,
      'Renew it before that; a gateway that serves it itself reads it at its start.',
    );
  else tell.ok(check, `good until ${until}`);
}

async function checkFile(tell: Tell, file: string): Promise<void> {
  try {
    const { validTo } = new X509Certificate(await readFile(file));
    tellOfExpiry(tell, 'certificate TLS_CERT_FILE', Date.parse(validTo), Date.now());
  } catch (error) {
    tell.wrong(
      'certificate TLS_CERT_FILE',
      `${file} cannot be read: ${reasonOf(error)}`,
      'It must be a certificate chain in PEM, readable by the gateway.',
    );
  }
}

async function checkServed(tell: Tell, baseUrl: string): Promise<void> {
  const check = 'certificate PUBLIC_BASE_URL';
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'https:') {
    tell.wrong(check, 'PUBLIC_BASE_URL is no https:// address', 'Set it to the address under which merchants reach the gateway.');
    return;
  }
  try {
    const { validTo, distrust } = await fetchCertificate(url);
    tellOfExpiry(tell, check, validTo, Date.now());
    if (distrust !== undefined)
      tell.warning(
        `${check} trust`,
        `not trusted from here: ${distrust}`,
        'Merchants need a certificate of a public authority, with its whole chain; one made by the platform is for trying it out.',
      );
  } catch (error) {
    tell.warning(
      check,
      `${url.origin} does not respond from here: ${reasonOf(error)}`,
      'See from outside that merchants can reach it; from within a cluster that may well be impossible.',
    );
  }
}

/** The certificate that merchants see: that in TLS_CERT_FILE, and that which PUBLIC_BASE_URL serves. */
export function checkCertificate(env: Environ): Check {
  return {
    name: 'certificate',
    deadlineMs: 8000,
    async run(tell) {
      const { TLS_CERT_FILE: file, PUBLIC_BASE_URL: baseUrl } = env;
      if (file) await checkFile(tell, file);
      if (baseUrl) await checkServed(tell, baseUrl);
      if (!file && !baseUrl)
        tell.warning(
          'certificate',
          'not looked at: neither TLS_CERT_FILE nor PUBLIC_BASE_URL is set here',
          'Run this where gateway has its variables.',
        );
    },
  };
}
