import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RENDERED } from '../variants.ts';

const file = fileURLToPath(new URL(`../../../../${RENDERED}/problems.jsonl`, import.meta.url));

/**
 * Ends a test when something is wrong with what was built, and notes it for the list at the end of check:k8s (summary.ts).
 * @param where the variant, or both of a pair
 * @throws Error with one problem a line, and without a stack: what is wrong is in k8s/, not in the test
 */
export function expectNone(where: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  appendFileSync(file, problems.map((problem) => `${JSON.stringify({ where, problem })}\n`).join(''));
  const error = new Error(problems.map((problem) => `${where}: ${problem}`).join('\n'));
  error.stack = error.message;
  throw error;
}
