import { expect, test } from '@jest/globals';
import { currentContracts } from './contract-bundle.ts';
import { inWords } from './finding.ts';
import { acceptedChanges, judgeContracts, releasedContracts } from './released.ts';

const verdict = judgeContracts(releasedContracts(), currentContracts('today'), acceptedChanges());

test('the contracts break nobody who keeps to a released version (docs/contracts.md says what to do)', () => {
  if (verdict.breaking.length === 0) return;
  throw new Error(`${verdict.breaking.length} changes of contracts break somebody:\n\n${verdict.breaking.map(inWords).join('\n\n')}\n`);
});

test('every accepted change has a reason and is still one', () => {
  expect(verdict.stale).toEqual([]);
  for (const { reason } of acceptedChanges()) expect(reason.length).toBeGreaterThan(20);
});
