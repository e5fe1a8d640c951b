import { remedies } from '@parcelway/contracts/description/remedies';
import { consumerActionOf, errorCatalogue, errorCodes } from '@parcelway/kernel/error-codes';
import { code, table } from './markdown.ts';

/** Every error code, and what to do about it. */
export function errorCodeTable(): string {
  return table(
    ['Code', 'HTTP', 'Meaning', 'What to do'],
    errorCodes.map((name) => [code(name), errorCatalogue[name].http, errorCatalogue[name].message, remedies[name]]),
  );
}

/** `consumer action` of every code, for operators who read dead letters. */
export function consumerActionTable(): string {
  const actions = [...new Set(Object.values(consumerActionOf))];
  return table(
    ['Codes', 'What the consumer does'],
    actions.map((action) => [
      errorCodes
        .filter((name) => consumerActionOf[name] === action)
        .map(code)
        .join(' '),
      code(action),
    ]),
  );
}
