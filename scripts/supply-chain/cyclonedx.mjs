// The software bill of materials as CycloneDX 1.5 in JSON. The same lock gives the same bytes: no time, no random number.
import { createHash } from 'node:crypto';

const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** `sha512-<base64>` → algorithm and hexadecimal digest. */
function hashesOf(integrity) {
  return (integrity ?? '').split(/\s+/).flatMap((each) => {
    const [, bits, digest] = /^sha(256|384|512)-(.+)$/.exec(each) ?? [];
    return bits ? [{ alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') }] : [];
  });
}

const licencesOf = (license) => [/\s/.test(license) ? { expression: license } : { license: { id: license } }];

/** Name in the document: the same package may be there twice, in two versions or at two places. */
const refOf = ({ path, name, version }) => (path === `node_modules/${name}` ? `${name}@${version}` : `${name}@${version}|${path}`);

function component(shipped) {
  const hashes = hashesOf(shipped.integrity);
  return {
    type: 'library',
    'bom-ref': refOf(shipped),
    name: shipped.name,
    version: shipped.version,
    purl: purl(shipped),
    ...(hashes.length > 0 ? { hashes } : {}),
    licenses: licencesOf(shipped.license),
  };
}

/** A UUID of the content, so that the same content has the same number (RFC 9562, version 8). */
function serialNumber(content) {
  const hex = createHash('sha256').update(content).digest('hex');
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * The bill of materials of the image, without its base image, whose own one its publisher has.
 * @param {readonly import('./production-packages.mjs').ShippedPackage[]} packages each with a licence
 * @param {{ name: string, version: string, license: string }} product
 */
export function cycloneDx(packages, product) {
  const byPath = new Map(packages.map((each) => [each.path, each]));
  const root = `${product.name}@${product.version}`;
  const needed = new Set(packages.flatMap(({ dependencies }) => dependencies));
  const content = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: product.name,
        version: product.version,
        licenses: licencesOf(product.license),
      },
    },
    components: packages.map(component),
    dependencies: [
      { ref: root, dependsOn: packages.filter(({ path }) => !needed.has(path)).map(refOf) },
      ...packages.map((each) => ({ ref: refOf(each), dependsOn: each.dependencies.map((path) => refOf(byPath.get(path))) })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serialNumber(JSON.stringify(content)),
    version: 1,
    ...content,
  };
}
