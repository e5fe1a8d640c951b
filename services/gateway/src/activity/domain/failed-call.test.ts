import { describe, expect, test } from '@jest/globals';
import { failureContent, keptPath } from './failed-call.ts';

describe('what is kept of a failed call', () => {
  test('code, message and data of the response', () => {
    const data = { errors: [{ field: 'due_date', rule: 'required', message: 'due_date is required' }] };
    expect(failureContent({ code: '42201', message: 'Invalid', data })).toEqual({
      code: '42201',
      message: 'Invalid',
      data: JSON.stringify(data),
    });
    expect(failureContent({ code: '40401', message: 'Missing', data: null })).toEqual({ code: '40401', message: 'Missing', data: null });
  });

  test('no large data, and no endless message', () => {
    const kept = failureContent({ code: '42201', message: 'x'.repeat(5000), data: { errors: 'y'.repeat(4096) } });
    expect(kept.data).toBeNull();
    expect(kept.message).toHaveLength(1000);
    expect(failureContent({ code: '42201', message: '', data: 'y'.repeat(4094) }).data).toHaveLength(4096);
  });

  test('nothing of a response that is no envelope', () => {
    for (const response of [null, 7, 'text', [], { code: 7, message: {} }]) {
      expect(failureContent(response)).toEqual({ code: null, message: null, data: null });
    }
  });

  test('at most 500 characters of the path', () => {
    expect(keptPath('/open/v1/forecasts')).toBe('/open/v1/forecasts');
    expect(keptPath(`/${'a'.repeat(500)}`)).toBe(`/${'a'.repeat(498)}…`);
  });
});
