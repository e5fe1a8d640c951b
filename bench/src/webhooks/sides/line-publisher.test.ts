import type { Server } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { listen } from '@parcelway/http/server';
import { createEventLines } from '../processes/event-lines.ts';
import { LinePublisher } from './line-publisher.ts';
import type { BenchEvent } from './side.ts';

const eventOf = (id: string): BenchEvent => ({ id, tenantId: 'tnt_ü', forecastNo: 'FC1', poNumber: 'PO' });

let server: Server | undefined;
let publisher: LinePublisher | undefined;

async function open(publish: (event: BenchEvent) => Promise<void>): Promise<LinePublisher> {
  server = createEventLines(publish);
  publisher = new LinePublisher(await listen(server, '127.0.0.1', 0));
  return publisher;
}

afterEach(async () => {
  await publisher?.close();
  server?.close();
});

describe('publishing by lines', () => {
  test('responds with each event by itself, in whatever order they are done', async () => {
    const taken: BenchEvent[] = [];
    const done: string[] = [];
    const lines = await open(async (event) => {
      taken.push(event);
      if (event.id === 'evt_1') await new Promise((resolve) => setTimeout(resolve, 20));
    });
    await Promise.all(['evt_1', 'evt_2', 'evt_3'].map((id) => lines.publish(eventOf(id)).then(() => done.push(id))));
    expect(taken).toEqual(['evt_1', 'evt_2', 'evt_3'].map(eventOf));
    expect(done).toEqual(['evt_2', 'evt_3', 'evt_1']);
  });

  test('says of an event why it was not accepted, and goes on', async () => {
    const lines = await open(async ({ id }) => {
      if (id === 'evt_1') throw new Error('the disk is full');
    });
    await expect(lines.publish(eventOf('evt_1'))).rejects.toThrow('the disk is full');
    await expect(lines.publish(eventOf('evt_2'))).resolves.toBeUndefined();
  });

  test('fails what is not responded when the connection ends', async () => {
    const lines = await open(() => new Promise(() => undefined));
    const pending = lines.publish(eventOf('evt_1'));
    await lines.close();
    await expect(pending).rejects.toThrow('The connection has ended');
    await expect(lines.publish(eventOf('evt_2'))).rejects.toThrow('The connection has ended');
  });
});
