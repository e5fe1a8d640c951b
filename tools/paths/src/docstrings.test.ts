import { expect, test } from '@jest/globals';
import { docstringsIn } from './docstrings.ts';

const { functions, main } = docstringsIn(`
// A note.
/** How long. */
const LIMIT_MS = 5;
/**
 * Takes an order, and
 * checks it. Then more is said, see {@link Orders}.
 * @param order as sent
 */
export async function take(order) { return [order].map(function () { return LIMIT_MS; }); }
/** All {@link Order orders}, e.g. of {@link Today} */
export class Orders {
  /** Adds one. @returns the number */
  add() { return 1; }
  get size() { return 2; }
}
export const open = () => ({
  /** Closes it. */
  close() {},
});
function bare() {}
/** @returns nothing that has a sentence */
function tagged() {}
`);

test('the first sentence of a docstring is that of its function', () => {
  expect(functions.get('take')).toBe('Takes an order, and checks it.');
  expect(functions.get('Orders.add')).toBe('Adds one.');
  expect(functions.get('open.close')).toBe('Closes it.');
});

test('a function without one has that of its class', () => {
  expect(functions.get('Orders.size')).toBe('All orders, e.g. of `Today`');
});

test('a function that stands alone without one has none', () => {
  expect(functions.has('bare')).toBe(false);
  expect(functions.get('tagged') ?? '').toBe('');
});

test('a module is described by the first function or class that it exports', () => {
  expect(main).toBe('Takes an order, and checks it.');
  expect(docstringsIn('/** How long. */\nexport const LIMIT_MS = 5;').main).toBe('');
});
