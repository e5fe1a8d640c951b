import type { DomainEventData } from '../domain-events.ts';

/** What the acceptance of a forecast without items says of its content. */
export const eventContent = {
  version: 1,
  due_date: null,
  shipping_label: null,
  shipping_note: null,
  carton_count: null,
  item_count: 0,
  items: [],
} satisfies Partial<DomainEventData<'forecast.accepted'>>;
