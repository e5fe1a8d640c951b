import { EXAMPLE_BASE_URL } from '@parcelway/contracts/example-parcel';
import type { Samples } from './samples.ts';

const ADDRESS = EXAMPLE_BASE_URL.replaceAll('.', '\\.');

/** Language → how its sample writes an address as text, and an address that begins with the variable. */
const written = {
  curl: [new RegExp(`'${ADDRESS}([^']*)'`), '"$PARCELWAY_BASE_URL$1"'],
  go: [new RegExp(`"${ADDRESS}([^"]*)"`), 'os.Getenv("PARCELWAY_BASE_URL")+"$1"'],
  java: [new RegExp(`"${ADDRESS}([^"]*)"`), 'System.getenv("PARCELWAY_BASE_URL") + "$1"'],
  php: [new RegExp(`'${ADDRESS}([^']*)'`), "getenv('PARCELWAY_BASE_URL') . '$1'"],
} as const;

/** The samples of a request, with the address of the platform from the variable `PARCELWAY_BASE_URL`. */
export function withOwnAddress(samples: Samples): Samples {
  const changed = Object.entries(written).map(([id, [address, variable]]) => [
    id,
    samples[id as keyof typeof written]?.replace(address, variable),
  ]);
  return { ...samples, ...Object.fromEntries(changed.filter(([, code]) => code !== undefined)) };
}
