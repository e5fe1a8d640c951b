import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { keepFocusOut } from './frame-focus.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A page whose printing frame has the focus, which a field had before. */
function printed(isConnected = true) {
  const page: { activeElement: unknown } = { activeElement: 'body' };
  const take = (what: unknown) => (): void => {
    page.activeElement = what;
  };
  const frame = { blur: take('body') };
  const field = { isConnected, focus: (): void => take(field)() };
  const view = new EventTarget();
  page.activeElement = frame;
  const end = keepFocusOut(page, frame, field, [view]);
  return { page, frame, field, view, end };
}

test('the focus is back as soon as a document is printed', () => {
  const { page, field, end } = printed();
  expect(page.activeElement).toBe(field);
  end();
});

test('a frame that takes the focus later loses it after printing, or at the next look', () => {
  const { page, frame, field, view, end } = printed();
  page.activeElement = frame;
  view.dispatchEvent(new Event('afterprint'));
  expect(page.activeElement).toBe(field);
  for (let time = 0; time < 3; time += 1) {
    page.activeElement = frame;
    jest.advanceTimersByTime(1000);
    expect(page.activeElement).toBe(field);
  }
  end();
});

test('what else has the focus keeps it, and nothing is looked at once the frame is gone', () => {
  const { page, frame, view, end } = printed();
  page.activeElement = 'an input of a dialog';
  jest.advanceTimersByTime(1000);
  expect(page.activeElement).toBe('an input of a dialog');
  end();
  page.activeElement = frame;
  view.dispatchEvent(new Event('afterprint'));
  jest.advanceTimersByTime(5000);
  expect(page.activeElement).toBe(frame);
  expect(jest.getTimerCount()).toBe(0);
});

test('what has left the page meanwhile is not given the focus', () => {
  const { page, end } = printed(false);
  expect(page.activeElement).toBe('body');
  end();
});
