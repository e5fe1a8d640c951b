import { describe, expect, test } from '@jest/globals';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { eventContent } from '@parcelway/contracts/testing/event-content';
import { isoInstant } from '@parcelway/kernel/clock';
import { NOW } from '../../testing/samples.ts';
import { viewForecast, viewItem } from '../../testing/view-samples.ts';
import * as decisions from './decide-view.ts';
import { eventsWithoutItems, type KnownForecasts, type ReadItems } from './decide-view.ts';
import type { ViewForecast } from './forecast-copy.ts';
import type { ViewEvent } from './view-event.ts';

const ssccOf = (forecastId: number): string => `sscc ${forecastId}`;
const decideView = (events: readonly ViewEvent[], known: KnownForecasts) => decisions.decideView(events, known, ssccOf);
const decideItems = (found: readonly ReadItems[], known: KnownForecasts) => decisions.decideItems(found, known, ssccOf);

function eventOf<T extends DomainEventType>(type: T, forecastNo: string, data: object): DomainEvent<T> {
  const envelope = { publisher: 'forecast', tenantId: 'tnt_a', environment: 'sandbox', subject: forecastNo, time: NOW } as const;
  const all = { forecast_no: forecastNo, po_number: 'PO-1', ...data } as DomainEventData<T>;
  return createDomainEvent({ ...envelope, type, data: all } as Parameters<typeof createDomainEvent>[0]) as DomainEvent<T>;
}

const accepted = (forecastNo: string, items: readonly object[] | null) =>
  eventOf('forecast.accepted', forecastNo, {
    ...eventContent,
    forecast_id: 1,
    forecast_type: 2,
    accepted_at: '2026-11-21T00:00:00.000+00:00',
    tracking_numbers: ['N1'],
    warehouse_code: 'WH1',
    due_date: '2026-12-01',
    item_count: 1,
    items,
  });
const arrived = (forecastNo: string) =>
  eventOf('parcel.arrived', forecastNo, { status: 2, warehouse_code: 'WH1', occurred_at: '2026-11-22T09:00:00+08:00' });
const cancelled = (forecastNo: string) => eventOf('forecast.cancelled', forecastNo, { cancelled_at: '2026-11-22T00:00:00.000+00:00' });
const known = (...forecasts: readonly ViewForecast[]): KnownForecasts => new Map(forecasts.map((one) => [one.forecastNo, one]));

describe('a batch of events', () => {
  test('changes each of its forecasts once, and reports each event in its order', () => {
    const changes = decideView([accepted('FC1', [viewItem()]), arrived('FC2'), arrived('FC1')], known(viewForecast({ forecastNo: 'FC2' })));
    expect(changes).toMatchObject([
      {
        forecast: { forecastNo: 'FC1', status: 2, itemsVersion: 1, content: { sscc: 'sscc 1' } },
        items: [viewItem()],
        notes: [
          { change: 'accepted', changedAt: isoInstant(NOW) },
          { change: 'status', changedAt: isoInstant(NOW) },
        ],
      },
      { forecast: { forecastNo: 'FC2', status: 2 }, notes: [{ change: 'status' }] },
    ]);
  });

  test('changes nothing where all of it was followed before', () => {
    const [first] = decideView([accepted('FC1', [viewItem()]), arrived('FC1')], known());
    expect(decideView([accepted('FC1', [viewItem()]), arrived('FC1')], known(first?.forecast as ViewForecast))).toEqual([]);
  });

  test('reports nothing of a forecast whose acceptance is not known', () => {
    const [change] = decideView([cancelled('FC1')], known());
    expect(change).toMatchObject({ forecast: { forecastNo: 'FC1', warehouseCode: null } });
    expect(change?.notes).toBeUndefined();
  });

  test('leaves the items of an event without them to be read', () => {
    const [change] = decideView([accepted('FC1', null)], known());
    expect(change?.items).toBeUndefined();
    expect(change?.forecast.itemsVersion).toBe(0);
  });
});

test('items that were read are stored once, and not over those of a newer version', () => {
  const event = accepted('FC1', null);
  const stored = viewForecast({ itemsVersion: 0 });
  const found = [{ event, version: 1, items: [viewItem()] }];
  const [change] = decideItems(found, known(stored));
  expect(change).toMatchObject({ forecast: { itemsVersion: 1 }, items: [viewItem()] });
  expect(decideItems(found, known(viewForecast({ itemsVersion: 2 })))).toEqual([]);
  expect(decideItems(found, known())).toEqual([]);
});

test('the items of contents that say so are to be read', () => {
  const large = accepted('FC1', null);
  expect(eventsWithoutItems([large, accepted('FC2', [viewItem()]), arrived('FC4')])).toEqual([large]);
});
