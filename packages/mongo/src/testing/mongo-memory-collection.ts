import { mongo } from 'mongoose';

/** A document as it is stored. */
export type StoredDocument = Readonly<Record<string, unknown>> & { readonly _id: string };

type Fields = Record<string, unknown>;
type Operators = Readonly<Record<string, Readonly<Fields>>>;
type Pipeline = readonly { readonly $set: Readonly<Fields> }[];

interface FindOptions {
  readonly limit?: number;
  readonly batchSize?: number;
}

/** An operation that reaches the collection. */
export type Command = 'find' | 'insert' | 'updateMany' | 'bulkWrite';

const compare: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  $exists: (value, operand) => (value !== undefined) === operand,
  $gt: (value, operand) => typeof value === 'number' && value > (operand as number),
  $lte: (value, operand) => typeof value === 'number' && value <= (operand as number),
  $in: (value, operand) => (operand as readonly unknown[]).includes(value),
};

const isOperators = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));

function known<T>(table: Readonly<Record<string, T>>, operator: string): T {
  const found = table[operator];
  if (found === undefined) throw new Error(`The collection in memory does not know ${operator}`);
  return found;
}

function matches(document: Readonly<Fields>, filter: Readonly<Fields>): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    if (field === '$or') return (wanted as readonly Fields[]).some((one) => matches(document, one));
    if (!isOperators(wanted)) return document[field] === wanted;
    return Object.entries(wanted).every(([operator, operand]) => known(compare, operator)(document[field], operand));
  });
}

const numbers = (one: unknown, other: unknown): number[] => [one, other].filter((value) => value !== undefined) as number[];

const change: Readonly<Record<string, (value: unknown, operand: unknown) => unknown>> = {
  $set: (_value, operand) => operand,
  $unset: () => undefined,
  $inc: (value = 0, operand) => (value as number) + (operand as number),
  $max: (value, operand) => Math.max(...numbers(value, operand)),
  $min: (value, operand) => Math.min(...numbers(value, operand)),
  $push: (value = [], operand) => [...(value as unknown[]), ...(operand as { readonly $each: unknown[] }).$each],
};

/** The value of an expression of an aggregation for a document. Undefined is a field that is not there. */
function evaluate(expression: unknown, document: Readonly<Fields>): unknown {
  if (typeof expression === 'string' && expression.startsWith('$')) return valueAt(expression, document);
  if (Array.isArray(expression)) return expression.map((one) => evaluate(one, document));
  if (typeof expression !== 'object' || expression === null) return expression;
  if (!isOperators(expression)) return evaluateFields(expression as Fields, document);
  const [[operator, operand]] = Object.entries(expression) as [[string, never]];
  const operators: Readonly<Record<string, () => unknown>> = {
    $literal: () => operand,
    $ifNull: () => evaluate(operand[0], document) ?? evaluate(operand[1], document),
    $not: () => !evaluate(operand[0], document),
    $eq: () => JSON.stringify(evaluate(operand[0], document)) === JSON.stringify(evaluate(operand[1], document)),
    $in: () => (evaluate(operand[1], document) as unknown[]).includes(evaluate(operand[0], document)),
    $cond: () => evaluate(evaluate(operand[0], document) ? operand[1] : operand[2], document),
    $bsonSize: () => mongo.BSON.calculateObjectSize(evaluate(operand, document) as Fields),
    $first: () => (evaluate(operand, document) as unknown[] | undefined)?.[0],
    $filter: () => {
      const { input, cond } = operand as { readonly input: unknown; readonly cond: unknown };
      return (evaluate(input, document) as unknown[]).filter((item) => evaluate(cond, { ...document, $this: item }));
    },
  };
  return known(operators, operator)();
}

function evaluateFields(expressions: Readonly<Fields>, document: Readonly<Fields>): Fields {
  return Object.fromEntries(Object.entries(expressions).map(([field, expression]) => [field, evaluate(expression, document)]));
}

function valueAt(path: string, document: Readonly<Fields>): unknown {
  if (path === '$$REMOVE') return undefined;
  const read = (value: unknown, key: string): unknown =>
    Array.isArray(value) ? value.map((item) => read(item, key)) : (value as Fields | undefined)?.[key];
  return path
    .slice(1)
    .split('.')
    .reduce(read, document as unknown);
}

const defined = (document: Readonly<Fields>): StoredDocument =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined)) as StoredDocument;

function updated(document: StoredDocument, update: Operators | Pipeline): StoredDocument {
  if (Array.isArray(update)) {
    const step = (before: StoredDocument, { $set }: Pipeline[number]): StoredDocument =>
      defined({ ...before, ...evaluateFields($set, before) });
    return (update as Pipeline).reduce(step, document);
  }
  const after: Fields = { ...document };
  for (const [operator, fields] of Object.entries(update as Operators))
    for (const [field, operand] of Object.entries(fields)) after[field] = known(change, operator)(after[field], operand);
  return defined(after);
}

/**
 * The model of a collection in memory, for tests of what a store does when commands fail or come late. It knows the operators that outboxes use, as MongoDB
 * defines them, and throws at any other.
 */
export class MemoryCollection {
  readonly documents = new Map<string, StoredDocument>();
  /** Commands so far. */
  readonly commands: Command[] = [];
  /** How many documents at once were asked for, by those that said so. */
  readonly batchSizes: number[] = [];
  /** Called before a command takes effect; it fails when this does. */
  received: (command: Command) => Promise<void> = async () => undefined;
  /** Called after a command has taken effect; its response is lost when this fails. */
  made: (command: Command) => Promise<void> = async () => undefined;

  insertMany(documents: readonly StoredDocument[]): Promise<void> {
    return this.#run('insert', () => {
      for (const document of documents) {
        if (this.documents.has(document._id)) throw new mongo.MongoServerError({ message: 'E11000 duplicate key', code: 11_000 });
        this.documents.set(document._id, defined(document));
      }
    });
  }

  updateMany(filter: Readonly<Fields>, update: Operators | Pipeline): Promise<{ matchedCount: number; modifiedCount: number }> {
    return this.#run('updateMany', () => {
      const found = this.#found(filter);
      for (const document of found) this.documents.set(document._id, updated(document, update));
      return { matchedCount: found.length, modifiedCount: found.length };
    });
  }

  updateOne(filter: Fields, update: Operators) {
    return this.bulkWrite([{ updateOne: { filter, update } }]);
  }

  bulkWrite(operations: readonly { readonly updateOne: { readonly filter: Fields; readonly update: Operators } }[]) {
    return this.#run('bulkWrite', () => {
      let matchedCount = 0;
      for (const { updateOne } of operations) {
        for (const document of this.#found(updateOne.filter).slice(0, 1)) {
          this.documents.set(document._id, updated(document, updateOne.update));
          matchedCount += 1;
        }
      }
      return { matchedCount };
    });
  }

  /** Finds whole documents, with the fields that the projection computes. */
  find(filter: Readonly<Fields>, projection: Readonly<Fields>, { limit, batchSize }: FindOptions) {
    if (batchSize !== undefined) this.batchSizes.push(batchSize);
    const computed = Object.fromEntries(Object.entries(projection).filter(([, value]) => isOperators(value)));
    const read = (document: StoredDocument): StoredDocument => ({ ...document, ...evaluateFields(computed, document) });
    let left: StoredDocument[] | undefined;
    const next = async (): Promise<StoredDocument | null> => {
      left ??= await this.#run('find', () => this.#found(filter).slice(0, limit).map(read));
      return left.shift() ?? null;
    };
    return { lean: () => ({ cursor: () => ({ next, destroy: () => undefined }) }) };
  }

  #found(filter: Readonly<Fields>): StoredDocument[] {
    return [...this.documents.values()].filter((document) => matches(document, filter));
  }

  async #run<T>(command: Command, work: () => T): Promise<T> {
    this.commands.push(command);
    await this.received(command);
    const result = work();
    await this.made(command);
    return result;
  }
}
