import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../openapi-schemas.ts';
import { breakingEvents } from '../testing/breaking-events.ts';
import { breakingRequests } from '../testing/breaking-requests.ts';
import { breakingResponses } from '../testing/breaking-responses.ts';
import { harmlessChanges } from '../testing/harmless-changes.ts';
import { changed, type Edit, schema } from '../testing/plant-change.ts';
import { compareContracts } from './compare-contracts.ts';
import { currentContracts } from './contract-bundle.ts';
import { inWords } from './finding.ts';
import { acceptedChanges, judgeContracts, releasedContracts } from './released.ts';

/* Changes planted in the real contracts, and what the comparison says of each. */

const before = currentContracts('1.0.0');

const after = (edit: Edit) => changed(before, edit);

const compared = (edit: Edit) => compareContracts(before, after(edit));

const breaking = { ...breakingRequests, ...breakingResponses, ...breakingEvents };

describe('a change that breaks somebody', () => {
  test.each(Object.keys(breaking))('%s', (name) => {
    const [edit, ids] = breaking[name] as (typeof breaking)[string];
    expect(compared(edit).breaking.map(({ id }) => id)).toEqual(ids);
  });

  test('in a report of a warehouse is found in the call and on the topic, with the event that it is about', () => {
    const edit: Edit = ({ openapi, asyncapi }) => {
      for (const { components } of [openapi, asyncapi]) components.schemas.DispatchEvent.required.push('express_no');
    };
    expect(compared(edit).breaking.map(({ contract, change }) => [contract, change])).toEqual([
      ['POST /warehouse/v1/events, request', 'express_no (dispatch): is required now'],
      ['POST /warehouse/v1/events, request', 'events[].express_no (dispatch): is required now'],
      ['topic warehouse.intake.v1', 'express_no (dispatch): is required now'],
      ['topic warehouse.intake.v1', 'events[].express_no (dispatch): is required now'],
    ]);
  });

  test('is described in words: what, whom it breaks, what to do instead', () => {
    const [edit] = breaking['a wider bound of a domain event, which old consumers refuse'] as (typeof breaking)[string];
    const [found] = compared(edit).breaking;
    const words = found ? inWords(found) : '';
    expect(words).toContain('data.status: maximum: 7 → 8');
    expect(words).toContain('Breaks: services of the version before');
    expect(words).toContain('Instead: Keep what was there and add an optional field, or publish a new event type (`….v2`)');
  });
});

describe('a change that breaks nobody', () => {
  test.each(Object.keys(harmlessChanges))('%s', (name) => {
    const [edit, added] = harmlessChanges[name] as (typeof harmlessChanges)[string];
    const { breaking: found, additions } = compared(edit);
    expect(found).toEqual([]);
    expect(additions.map(({ contract }) => contract)).toEqual(added);
  });
});

describe('the verdict', () => {
  const [edit, [id = '']] = breaking['a removed webhook'] as (typeof breaking)[string];

  test('is over every release, and names those that have it otherwise', () => {
    const newest = { ...after(edit), version: '1.2.0' };
    const verdict = judgeContracts([before, newest], newest, []);
    expect(verdict.breaking.map((found) => [found.id, found.since])).toEqual([[id, ['1.0.0']]]);
  });

  test('lets an accepted change pass, and no accepted change stay that is none', () => {
    const reason = 'Nobody has it';
    expect(judgeContracts([before], after(edit), [{ id, reason }])).toMatchObject({ breaking: [], stale: [] });
    expect(judgeContracts([before], before, [{ id, reason }]).stale).toEqual([id]);
  });

  test('is refused for a keyword that nobody taught the comparison', () => {
    const odd = after(schema('WeighingData', (found: JsonObject) => Object.assign(found, { dependentRequired: {} })));
    expect(() => judgeContracts([before], odd, [])).toThrow('does not know the keyword "dependentRequired"');
  });
});

const verdict = judgeContracts(releasedContracts(), currentContracts('today'), acceptedChanges());

test('the contracts break nobody who keeps to a released version (docs/contracts.md says what to do)', () => {
  if (verdict.breaking.length === 0) return;
  throw new Error(`${verdict.breaking.length} changes of contracts break somebody:\n\n${verdict.breaking.map(inWords).join('\n\n')}\n`);
});

test('every accepted change has a reason and is still one', () => {
  expect(verdict.stale).toEqual([]);
  for (const { reason } of acceptedChanges()) expect(reason.length).toBeGreaterThan(20);
});
