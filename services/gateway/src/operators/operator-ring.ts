import { MAIN_OPERATOR } from '@parcelway/contracts/operator-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { constantTimeEqual, hashKey } from '../proxy/domain/api-key.ts';
import { isPlausibleToken, type OperatorRecord, operatorState, type PresentOperator } from './domain/operator.ts';
import { OPERATORS_READ } from './manage-operators.ts';
import type { OperatorStore } from './ports.ts';

/** How long what was read is believed: a revoked token is refused everywhere after this and the time of one read, below 5 s. */
const TTL_MS = 4000;
/** A token that is not among what was read makes the ring read again, at most once in this time. */
const UNKNOWN_TTL_MS = 1000;

/** What the ring works with. */
export interface OperatorRingOptions {
  readonly operators: Pick<OperatorStore, 'list'>;
  readonly clock: Clock;
  /** Token of the installation, which needs no store. */
  readonly token: string;
}

interface Snapshot {
  /** When the read began, epoch milliseconds: what changes during it is seen in time, too. */
  readonly at: number;
  /** Hash of a token → its operator. */
  readonly operators: ReadonlyMap<string, OperatorRecord>;
}

/**
 * Finds the operator of a token. All operators are read at once, as they are few: tokens cost at most one read a second together, whoever invents them.
 */
export class OperatorRing {
  readonly #options: OperatorRingOptions;
  readonly #mainHash: string;
  #snapshot: Snapshot | undefined;
  #reading: Promise<Snapshot> | undefined;

  constructor(options: OperatorRingOptions) {
    this.#options = options;
    // Hashes are compared, so that neither the text nor its length shows in the time it takes.
    this.#mainHash = hashKey(options.token);
  }

  /** The operator of a token. @throws AppError 40003 when no such token works, 50301 when the store is needed and is out */
  async authenticate(token: string): Promise<PresentOperator> {
    const hash = hashKey(token);
    if (constantTimeEqual(hash, this.#mainHash)) return { name: MAIN_OPERATOR, role: 'admin' };
    const found = isPlausibleToken(token) ? await this.#find(hash) : undefined;
    if (found === undefined || !constantTimeEqual(found.hash, hash)) throw new AppError('40003', 'The admin token is not valid');
    const state = operatorState(found, this.#options.clock.now());
    if (state !== 'active') throw new AppError('40003', `The token of the operator ${found.name} is ${state}`);
    return { name: found.name, role: found.role };
  }

  /** Reads anew at the next token, because this process has changed an operator. */
  forget(): void {
    this.#snapshot = undefined;
    this.#reading = undefined;
  }

  async #find(hash: string): Promise<OperatorRecord | undefined> {
    const snapshot = this.#snapshot;
    const age = snapshot === undefined ? Number.POSITIVE_INFINITY : this.#options.clock.now() - snapshot.at;
    const found = snapshot?.operators.get(hash);
    if (age >= 0 && age < (found === undefined ? UNKNOWN_TTL_MS : TTL_MS)) return found;
    return (await this.#read()).operators.get(hash);
  }

  /** One read at a time, however many requests wait for it. */
  #read(): Promise<Snapshot> {
    if (this.#reading !== undefined) return this.#reading;
    const at = this.#options.clock.now();
    const reading = this.#options.operators
      .list(OPERATORS_READ)
      .then((operators) => {
        const snapshot = { at, operators: new Map(operators.map((operator) => [operator.hash, operator])) };
        // Unless an operator has changed meanwhile.
        if (this.#reading === reading) this.#snapshot = snapshot;
        return snapshot;
      })
      .finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    this.#reading = reading;
    return reading;
  }
}
