import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Parcelway } from '@parcelway/sdk';
import { type AdminServer, startAdminServer } from '../testing/admin-server.ts';
import { type ListenChoice, listen } from './listen.ts';
import type { Note } from './listen-notes.ts';

const SECRET = 'whsec_c2VjcmV0';
const messageOf = (event_id: string) => ({
  event_id,
  event_type: 'parcel.weighed',
  headers: { 'content-type': 'application/json', 'webhook-id': event_id, 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
  body: `{"id": "${event_id}"}`,
});

let platform: AdminServer;
let parcelway: Parcelway;
let program: AdminServer;
let controller: AbortController;
let notes: Note[];
beforeEach(async () => {
  platform = await startAdminServer();
  parcelway = new Parcelway({ apiKey: 'pf_test_key', baseUrl: platform.url });
  program = await startAdminServer();
  controller = new AbortController();
  notes = [];
});
afterEach(async () => {
  parcelway.close();
  await program.close();
  await platform.close();
});

function respond(res: ServerResponse, ids: readonly string[], next_cursor: string): void {
  res.end(JSON.stringify({ code: '0', message: 'success', data: { secret: SECRET, messages: ids.map(messageOf), next_cursor } }));
}

/** A platform with these pages of events, one per response; listening ends when they are processed. */
function serve(...pages: readonly (readonly string[])[]): void {
  let page = 0;
  platform.respondWith((_req, res) => {
    const ids = pages[page];
    page += 1;
    if (ids) respond(res, ids, String(page));
    else controller.abort();
  });
}

/** Listens to the end. @param forwardTo default the program. @returns types of the notes */
async function run(choice: ListenChoice = {}, { forwardTo = program.url, deadlineMs = 5000 } = {}): Promise<string[]> {
  const note = (what: Note): void => void notes.push(what);
  const timing = { deadlineMs, localWaitsMs: [20, 20], maxOutageMs: 20_000 };
  await listen({ parcelway, note, signal: controller.signal, forwardTo, ...timing }, choice);
  return notes.map(({ type }) => type);
}

describe('listening', () => {
  test('shows the secret, passes on body and headers as they are, in order, and counts', async () => {
    serve([], ['evt_1', 'evt_2'], ['evt_3']);
    expect(await run()).toEqual(['ready', 'event', 'response', 'event', 'response', 'event', 'response', 'end']);
    expect(notes[0]).toEqual({ type: 'ready', secret: SECRET, endpoint_id: null, forward_to: program.url });
    expect(notes.at(-1)).toEqual({ type: 'end', accepted: 3, refused: 0, skipped: 0 });
    expect(program.seen.map(({ text }) => text)).toEqual(['evt_1', 'evt_2', 'evt_3'].map((id) => messageOf(id).body));
    expect(program.seen[0]?.headers).toMatchObject(messageOf('evt_1').headers);
  });

  test('asks for what was chosen, from the cursor on', async () => {
    serve([], []);
    await run({ endpoint_id: 'ep_1', event_types: ['parcel.weighed', 'tracking.changed'] });
    const queries = platform.seen.map(({ url }) => Object.fromEntries(new URL(url, platform.url).searchParams));
    const chosen = { endpoint_id: 'ep_1', event_types: 'parcel.weighed,tracking.changed' };
    expect(queries).toEqual([
      { ...chosen, wait: '1' },
      { ...chosen, wait: '20', after: '1' },
      { ...chosen, wait: '20', after: '2' },
    ]);
  });

  test('has events signed again that a slow program keeps waiting, and passes each on once', async () => {
    const questions: (string | null)[] = [];
    platform.respondWith((req, res) => {
      const after = new URL(String(req.url), platform.url).searchParams.get('after');
      questions.push(after);
      if (after === 'c2') controller.abort();
      else if (after === 'c1') respond(res, ['evt_1', 'evt_2', 'evt_3'], 'c2');
      else respond(res, [], 'c1');
    });
    const note = (what: Note): void => void notes.push(what);
    // Every signature counts as old once one event has been passed on.
    await listen({ parcelway, note, signal: controller.signal, forwardTo: program.url, signedForMs: -1 }, {});
    expect(questions).toEqual([null, 'c1', 'c1', 'c1', 'c2']);
    expect(program.seen.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  test('goes on after a response that is not a success, and reports it', async () => {
    program.respondWith((_req, res) => void res.writeHead(500).end());
    serve(['evt_1', 'evt_2']);
    await run();
    expect(notes.filter(({ type }) => type === 'response')).toMatchObject([
      { status: 500, status_text: 'Internal Server Error', event_id: 'evt_1' },
      { status: 500, event_id: 'evt_2' },
    ]);
    expect(notes.at(-1)).toMatchObject({ accepted: 0, refused: 2, skipped: 0 });
  });
});

describe('a local program that gives no response', () => {
  test('is tried again a few times; then the event is skipped and the next one has its turn', async () => {
    const { port } = program;
    await program.close();
    serve(['evt_1', 'evt_2']);
    const away = (event_id: string, retry_in_ms: number | null) => ({
      type: 'local_program_away',
      event_id,
      reason: 'connection refused; is your program running?',
      retry_in_ms,
    });
    await run({}, { forwardTo: `http://127.0.0.1:${port}/` });
    expect(notes.slice(2, 5)).toEqual([away('evt_1', 20), away('evt_1', 20), away('evt_1', null)]);
    expect(notes.at(-1)).toMatchObject({ skipped: 2 });
  });

  test('is reported once, also when the platform sends the event again', async () => {
    const { port } = program;
    await program.close();
    serve(['evt_1'], ['evt_1', 'evt_2', 'evt_2'], ['evt_1']);
    await run({}, { forwardTo: `http://127.0.0.1:${port}/` });
    const skips = notes.flatMap((note) => (note.type === 'local_program_away' && note.retry_in_ms === null ? [note.event_id] : []));
    expect(skips).toEqual(['evt_1', 'evt_2']);
    expect(notes.at(-1)).toMatchObject({ skipped: 2 });
  });

  test('that comes up meanwhile gets the event', async () => {
    const { port } = program;
    await program.close();
    serve(['evt_1']);
    let starting: Promise<AdminServer> | undefined;
    const note = (what: Note): void => {
      notes.push(what);
      if (what.type === 'local_program_away') starting ??= startAdminServer(port);
    };
    // More tries than a start can take, so that the machine's speed decides nothing.
    const localWaitsMs = Array.from({ length: 200 }, () => 20);
    await listen({ parcelway, note, signal: controller.signal, forwardTo: `http://127.0.0.1:${port}/`, localWaitsMs }, {});
    program = (await starting) as AdminServer;
    expect(program.seen).toHaveLength(1);
    expect(notes.at(-1)).toMatchObject({ accepted: 1, skipped: 0 });
  });

  test.each<[string, (res: ServerResponse) => void, number, string]>([
    ['hangs', () => undefined, 100, 'no response within 0.1 s'],
    ['hangs up', (res) => void res.socket?.destroy(), 5000, 'the connection was closed before a response'],
  ])('because it %s is named so', async (_what, respond, deadlineMs, reason) => {
    program.respondWith((_req, res) => respond(res));
    serve(['evt_1']);
    await run({}, { forwardTo: program.url, deadlineMs });
    expect(notes[2]).toMatchObject({ type: 'local_program_away', reason });
  });
});

describe('a platform', () => {
  test('that is away is waited for, and nothing is lost', async () => {
    let asked = 0;
    platform.respondWith((req, res) => {
      asked += 1;
      if (asked === 2) return void res.writeHead(503).end('{"code":"50301","message":"Temporarily unavailable","data":null}');
      if (asked === 3) return void req.socket.destroy();
      if (asked === 5) return controller.abort();
      respond(res, asked === 4 ? ['evt_1'] : [], String(asked));
    });
    expect(await run()).toEqual(['ready', 'platform_away', 'platform_away', 'platform_back', 'event', 'response', 'end']);
    expect(notes[1]).toMatchObject({ reason: expect.stringContaining('50301'), retry_in_ms: 1000 });
    expect(platform.seen.slice(1).map(({ url }) => new URL(url, platform.url).search)).toEqual([
      '?after=1&wait=20',
      // Short, so that it shows at once when the platform is back.
      '?after=1&wait=1',
      '?after=1&wait=1',
      '?after=4&wait=20',
    ]);
  });

  test('that refuses is not asked again', async () => {
    platform.fail(404, '40402', 'No such endpoint');
    await expect(run()).rejects.toMatchObject({ code: '40402' });
    expect(platform.seen).toHaveLength(1);
    expect(notes).toEqual([{ type: 'end', accepted: 0, refused: 0, skipped: 0 }]);
  });
});
