import { describe, expect, test } from '@jest/globals';
import { intakeEvent } from '../../testing/samples.ts';
import { storedText } from './event.ts';
import { eventKey, nameOf, sortReports } from './repeated-events.ts';

const [event, other] = [intakeEvent(), intakeEvent()];
const changed = { ...event, expressNo: 'N2' };
const storedAs = (first: typeof event) => new Map([[eventKey(first), { text: storedText(first) }]]);
const fresh = (...events: (typeof event)[]) => events.map((one) => ({ event: one, text: storedText(one) }));

describe('an event that is sent again', () => {
  test('has no second effect, whether it is stored or stays twice in the call', () => {
    expect(sortReports([event, other, event], new Map())).toEqual({ fresh: fresh(event, other), conflicts: [] });
    expect(sortReports([event, other, event], storedAs(event))).toEqual({ fresh: fresh(other), conflicts: [] });
  });

  test('with other content is a conflict each time, and the first stays', () => {
    const conflicts = [nameOf(event)];
    expect(sortReports([event, changed], new Map())).toEqual({ fresh: fresh(event), conflicts });
    expect(sortReports([changed, event], new Map())).toEqual({ fresh: fresh(changed), conflicts });
    expect(sortReports([changed, changed], storedAs(event))).toEqual({ fresh: [], conflicts: [...conflicts, ...conflicts] });
  });

  test('is another event when another warehouse uses the same id', () => {
    const elsewhere = { ...changed, warehouseCode: 'WH2' };
    expect(sortReports([event, elsewhere], new Map())).toEqual({ fresh: fresh(event, elsewhere), conflicts: [] });
  });
});
