import { MAIN_OPERATOR } from '@parcelway/contracts/operator-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { constantTimeEqual, hashKey } from '../proxy/domain/api-key.ts';
import { isPlausibleToken, operatorState, type PresentOperator } from './domain/operator.ts';
import { OPERATORS_READ } from './manage-operators.ts';
import type { OperatorStore } from './ports.ts';

/** What tokens are looked up in. */
export interface OperatorTokensOptions {
  readonly operators: Pick<OperatorStore, 'list'>;
  readonly clock: Clock;
  /** Token of the installation, which needs no store. */
  readonly token: string;
}

/** Finds the operator of a token. All operators are read, as they are few and call rarely. */
export class OperatorTokens {
  readonly #options: OperatorTokensOptions;
  readonly #mainHash: string;

  constructor(options: OperatorTokensOptions) {
    this.#options = options;
    // Hashes are compared, so that neither the text nor its length shows in the time it takes.
    this.#mainHash = hashKey(options.token);
  }

  /** The operator of a token. @throws AppError 40003 when no such token works, 50301 when the store is needed and is out */
  async authenticate(token: string): Promise<PresentOperator> {
    const { operators, clock } = this.#options;
    const hash = hashKey(token);
    if (constantTimeEqual(hash, this.#mainHash)) return { name: MAIN_OPERATOR, role: 'admin' };
    const known = isPlausibleToken(token) ? await operators.list(OPERATORS_READ) : [];
    const found = known.find((operator) => constantTimeEqual(operator.hash, hash));
    if (found === undefined) throw new AppError('40003', 'The admin token is not valid');
    const state = operatorState(found, clock.now());
    if (state !== 'active') throw new AppError('40003', `The token of the operator ${found.name} is ${state}`);
    return { name: found.name, role: found.role };
  }
}
