import { MAIN_OPERATOR } from '@parcelway/contracts/operator-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { constantTimeEqual, hashKey } from '../proxy/domain/api-key.ts';
import { isPlausibleToken, type OperatorRecord, operatorState, type PresentOperator } from './domain/operator.ts';

/** Options of {@link OperatorTokens}. */
export interface OperatorTokensOptions {
  /** Reads all operators. */
  readonly list: () => Promise<readonly OperatorRecord[]>;
  readonly clock: Clock;
  /** Token of the installation, which needs no store. */
  readonly token: string;
}

/** Well-formed but unknown tokens cause at most one read of the store in this time, whoever sends them. */
const UNKNOWN_TTL_MS = 1000;

interface Snapshot {
  /** When the read began, epoch milliseconds. */
  readonly at: number;
  /** Hash of a token → its operator. */
  readonly operators: ReadonlyMap<string, OperatorRecord>;
}

/** Finds the operator of a token. Reads all operators: they are few and call rarely. */
export class OperatorTokens {
  readonly #options: OperatorTokensOptions;
  readonly #mainHash: string;
  /** The last read that missed a token. Tokens that it lacks are refused without a read for a while. */
  #missed: Snapshot | undefined;
  /** One read at a time, however many requests wait for it. */
  #reading: Promise<Snapshot> | undefined;
  /** Counts {@link forget}. */
  #changes = 0;

  constructor(options: OperatorTokensOptions) {
    this.#options = options;
    // Hashes are compared, so that neither the text nor its length shows in the time it takes.
    this.#mainHash = hashKey(options.token);
  }

  /** The operator of a token. @throws AppError 40003 for a token that does not work, 50301 when the store does not respond */
  async authenticate(token: string): Promise<PresentOperator> {
    const hash = hashKey(token);
    if (constantTimeEqual(hash, this.#mainHash)) return { name: MAIN_OPERATOR, role: 'admin' };
    const found = isPlausibleToken(token) ? await this.#find(hash) : undefined;
    if (found === undefined) throw new AppError('40003', 'The admin token is not valid');
    const state = operatorState(found, this.#options.clock.now());
    if (state !== 'active') throw new AppError('40003', `The token of the operator ${found.name} is ${state}`);
    return { name: found.name, role: found.role };
  }

  /** Reads the store again at the next token, because this process has changed an operator. */
  forget(): void {
    this.#changes += 1;
    this.#missed = undefined;
    this.#reading = undefined;
  }

  async #find(hash: string): Promise<OperatorRecord | undefined> {
    const missed = this.#missed;
    const age = missed === undefined ? Number.POSITIVE_INFINITY : this.#options.clock.now() - missed.at;
    if (age >= 0 && age < UNKNOWN_TTL_MS && !missed?.operators.has(hash)) return undefined;
    const changes = this.#changes;
    const snapshot = await (this.#reading ?? this.#read());
    const found = snapshot.operators.get(hash);
    // A change during the read may have added the token.
    if (found === undefined && changes === this.#changes) this.#missed = snapshot;
    return found;
  }

  #read(): Promise<Snapshot> {
    const at = this.#options.clock.now();
    const reading = this.#options
      .list()
      .then((operators) => ({ at, operators: new Map(operators.map((operator) => [operator.hash, operator])) }))
      .finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    this.#reading = reading;
    return reading;
  }
}
