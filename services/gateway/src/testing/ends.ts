import { afterEach } from '@jest/globals';

/** What is done after each test; what was opened last ends first. */
export const ends: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
