import { boundsOf, type Place } from '@parcelway/contracts/bounds';

/** A schema of the contracts. */
type AnySchema = Parameters<typeof boundsOf>[0];

/** A body that aims at one place of a schema. */
export interface HostileBody {
  /** What it has where, such as `zeros in filter.admin_status`. */
  readonly name: string;
  /** JSON; made again at each call, as it may be megabytes long. */
  readonly text: () => string;
}

/** A place, and the JSON text around it. */
interface Target {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly place: Place;
}

/** A text of `count` members: each is made, and they are joined by commas. */
const list = (count: number, member: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => member(index)).join();

const array =
  (element: string) =>
  (bytes: number): string =>
    `[${list(Math.floor((bytes - 2) / (element.length + 1)), () => element)}]`;

/** What floods a place: each makes a value of so many bytes, or hardly more. */
const floods: Readonly<Record<string, (bytes: number) => string>> = {
  zeros: array('0'),
  'empty objects': array('{}'),
  names: (bytes) => `{${list(Math.floor((bytes - 2) / 12), (index) => `"n${index.toString().padStart(6, '0')}":0`)}}`,
  letters: (bytes) => `"${'x'.repeat(Math.max(bytes - 2, 0))}"`,
};

/** Where a flood of a kind belongs. */
function floodsOf({ elements, fields, values, isClosed, holdsText }: Place): string[] {
  return [
    ...(elements ? ['zeros', 'empty objects'] : []),
    ...(fields.size > 0 || values || isClosed ? ['names'] : []),
    ...(holdsText ? ['letters'] : []),
  ];
}

function targetsOf({ path, before, after, place }: Target): Target[] {
  const below = (step: string, [open, close]: readonly [string, string], inner: Place): Target[] =>
    targetsOf({ path: `${path}${step}`, before: before + open, after: close + after, place: inner });
  return [
    { path, before, after, place },
    ...[...place.fields].flatMap(([name, field]) => below(path === '' ? name : `.${name}`, [`{${JSON.stringify(name)}:`, '}'], field)),
    ...(place.elements ? below('[0]', ['[', ']'], place.elements) : []),
    ...(place.values ? below('.any', ['{"any":', '}'], place.values) : []),
  ];
}

/**
 * Bodies that flood every array, object, map and text of a schema, one place each.
 * @param bytes how long each is, about
 */
function* hostileBodies(schema: AnySchema, bytes: number): Generator<HostileBody> {
  for (const { path, before, after, place } of targetsOf({ path: '', before: '', after: '', place: boundsOf(schema) })) {
    for (const kind of floodsOf(place)) {
      const text = (): string => before + (floods[kind]?.(bytes - before.length - after.length) ?? '') + after;
      yield { name: `${kind} in ${path === '' ? 'the body' : path}`, text };
    }
  }
}

/** Of all {@link hostileBodies} of a schema four that aim at different places, as deep as there are some. */
export function fourHostileBodies(schema: AnySchema, bytes: number): readonly HostileBody[] {
  const all = [...hostileBodies(schema, bytes)];
  const kinds = Object.keys(floods).flatMap((kind) => all.filter(({ name }) => name.startsWith(kind)).slice(-1));
  return [...kinds, ...all.filter((body) => !kinds.includes(body)), ...kinds, ...kinds, ...kinds].slice(0, 4);
}
