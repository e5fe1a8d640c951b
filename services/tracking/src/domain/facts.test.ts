import { expect, test } from '@jest/globals';
import { acceptedForecast, dispatchOf, NOW, shipmentOf } from '../testing/samples.ts';
import { type ParcelFact, parcelOf } from './facts.ts';

const key = { tenantId: 'tnt_a', forecastNo: 'FC1' };

test.each<ParcelFact>([
  { type: 'accepted', ...acceptedForecast() },
  { type: 'cancelled', ...key, poNumber: 'PO-1', at: NOW },
  { type: 'dispatched', ...dispatchOf() },
  { type: 'response', shipment: shipmentOf(), nodes: [], now: NOW },
  { type: 'rescheduled', shipment: shipmentOf(), nextPollAt: null, failures: 0, now: NOW },
  { type: 'news', ...key, now: NOW },
])('a fact of the type $type is about its parcel', (fact) => expect(parcelOf(fact)).toMatchObject(key));
