import type { JsonObject } from '../openapi-schemas.ts';
import { type ContractBundle, isNames } from './contract-bundle.ts';

/** A change of what a release has promised. */
export interface BreakingChange {
  /** Place and kind of change; names it in `accepted.json`. */
  readonly id: string;
  /** Such as `200 → 100`. */
  readonly change: string;
}

/** Who relies on a part: those who send it to us, and those who are given it. */
interface Users {
  readonly sent: boolean;
  readonly given: boolean;
}

type Names = ReadonlySet<string>;

const isObject = (value: unknown): value is JsonObject => value !== null && typeof value === 'object' && !Array.isArray(value);
const partOf = (value: unknown, name: string): JsonObject => ((value as JsonObject | undefined)?.[name] ?? {}) as JsonObject;
const partsOf = (value: unknown, name: string): JsonObject[] => Object.values(partOf(value, name)) as JsonObject[];

/** Components that parts refer to, and those that these refer to, as `schemas/Name`. */
function componentsOf({ components }: JsonObject, parts: readonly unknown[]): Names {
  const found = new Set<string>();
  const waiting = [JSON.stringify(parts)];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      waiting.push(JSON.stringify(partOf(components, kind)[name]));
    }
  }
  return found;
}

/** Components by their users. A domain event counts as both: during a rollout, each of two versions reads what the other has written. */
function usedComponents({ openapi, asyncapi }: ContractBundle): Readonly<Record<keyof Users, Names>> {
  const operations = partsOf(openapi, 'paths').flatMap((item) => Object.values(item) as JsonObject[]);
  const published = partsOf(asyncapi, 'operations').filter(({ action }) => action === 'send');
  const channels = published.map(({ channel }) => (channel as { readonly $ref: string }).$ref.split('/').at(-1) as string);
  const messages = channels.map((name) => partOf(asyncapi, 'channels')[name]);
  return {
    sent: new Set([
      ...componentsOf(
        openapi,
        operations.map(({ requestBody, parameters }) => [requestBody, parameters]),
      ),
      ...componentsOf(asyncapi, [asyncapi['channels']]),
    ]),
    given: new Set([
      ...componentsOf(openapi, [operations.map(({ responses }) => responses), openapi['webhooks']]),
      ...componentsOf(asyncapi, messages),
    ]),
  };
}

/** Elements of a list by what identifies them: parameters by place and name, others by all of it. */
function elementsOf(list: unknown): JsonObject {
  const idOf = (element: JsonObject): string =>
    typeof element.in === 'string' ? `${element.in}.${String(element.name)}` : JSON.stringify(element);
  return Object.fromEntries(([list ?? []].flat() as JsonObject[]).map((element) => [idOf(element), element]));
}

/** Lists whose elements come and go. */
const LISTS = new Set(['required', 'enum', 'type', 'oneOf', 'anyOf', 'parameters', 'security']);

/** Kind of the list that is at a place; undefined for anything else. With an error code comes the list of the fields that its data has. */
function listAt(steps: readonly string[]): string | undefined {
  const name = steps.at(-1) ?? '';
  if (isNames(steps.slice(0, -1))) return steps.at(-2) === 'x-error-codes' ? 'required' : undefined;
  return LISTS.has(name) ? name : undefined;
}

/** Whether a list may not get an element. */
function mayNotGet(list: string, before: JsonObject, element: unknown, { sent, given }: Users): boolean {
  if (list === 'required') return sent;
  if (list === 'parameters') return (element as JsonObject).required === true;
  // A route without a key gets one.
  if (list === 'security') return Object.keys(before).length === 0;
  return given;
}

/** Whether a list may not lose an element. */
const mayNotLose = (list: string, { sent, given }: Users): boolean =>
  list === 'required' ? given : list === 'parameters' || list === 'security' || sent;

/** Whether another value of a keyword breaks somebody: a bound may be wider for those who send, and narrower for those who are given. */
function breaksBy(keyword: string, before: unknown, after: unknown, { sent, given }: Users): boolean {
  if (typeof before !== 'number' || typeof after !== 'number' || !/^(exclusiveM|m)(ax|in)/.test(keyword)) return sent || given;
  return after > before === /max/i.test(keyword) ? given : sent;
}

/** Compares two versions of a contract. */
class Comparison {
  readonly found: BreakingChange[] = [];
  readonly #components: Readonly<Record<keyof Users, Names>>;

  constructor(release: ContractBundle) {
    this.#components = usedComponents(release);
  }

  /** Compares a part. @param steps that lead to it */
  compare(steps: readonly string[], before: unknown, after: unknown, users: Users): void {
    const name = steps.at(-1) ?? '';
    const list = listAt(steps);
    if (list !== undefined) this.#compareLists(steps, list, elementsOf(before), elementsOf(after), users);
    else if (isObject(before) && isObject(after)) this.#compareObjects(steps, before, after, users);
    else if (JSON.stringify(before) !== JSON.stringify(after) && breaksBy(name, before, after, users))
      this.#note(steps, 'changed', `${JSON.stringify(before)} → ${JSON.stringify(after)}`);
  }

  #compareObjects(steps: readonly string[], before: JsonObject, after: JsonObject, users: Users): void {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const below = [...steps, key];
      const usedBy = this.#usersOf(below, users);
      if (key in before === key in after || listAt(below) !== undefined) this.compare(below, before[key], after[key], usedBy);
      else if (key in before && (usedBy.sent || usedBy.given)) this.#note(below, 'removed', 'is gone');
      else if (key in after && !isNames(steps) && (usedBy.sent || usedBy.given)) this.#note(below, 'added', 'is new');
    }
  }

  #compareLists(steps: readonly string[], list: string, before: JsonObject, after: JsonObject, users: Users): void {
    for (const id of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const below = [...steps, id];
      if (id in before && id in after) this.compare(below, before[id], after[id], users);
      else if (id in before && mayNotLose(list, users)) this.#note(below, 'removed', 'is gone');
      else if (id in after && mayNotGet(list, before, after[id], users)) this.#note(below, 'added', 'is new');
    }
  }

  #usersOf(steps: readonly string[], users: Users): Users {
    const [document, part, kind, name] = steps;
    if (part === 'components' && steps.length === 4) {
      const { sent, given } = this.#components;
      return { sent: sent.has(`${kind}/${name}`), given: given.has(`${kind}/${name}`) };
    }
    if (document !== 'openapi') return users;
    if (part === 'webhooks') return { sent: false, given: true };
    const [within] = part === 'paths' ? steps.slice(4) : [];
    if (within === 'requestBody' || within === 'parameters') return { sent: true, given: false };
    return within === 'responses' ? { sent: false, given: true } : users;
  }

  #note(steps: readonly string[], kind: string, change: string): void {
    this.found.push({ id: `${steps.join(' / ')}: ${kind}`, change });
  }
}

/**
 * What the contracts of today no longer keep of a release. A contract may get names: routes, fields, events, topics, codes. Whatever else is new, gone or
 * another breaks callers, receivers, warehouse systems, or our own services of the other version; wider bounds, longer lists and the like do so only in
 * one direction.
 */
export function breakingChanges(release: ContractBundle, current: ContractBundle): readonly BreakingChange[] {
  const comparison = new Comparison(release);
  for (const part of ['openapi', 'asyncapi', 'keys'] as const)
    comparison.compare([part], release[part], current[part], { sent: true, given: true });
  return comparison.found;
}
