import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { echo, startGateway, type TestGateway } from '../../testing/harness.ts';

let gateway: TestGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

/** Far beyond the time that a test has: a drain that waits for it fails. */
const DEADLINE_MS = 600_000;

describe('draining', () => {
  test('responds to a request that was on its way over an idle connection, and closes it then', async () => {
    gateway = await startGateway(echo);
    const { key } = await gateway.issue();
    const idle = connectTls({ port: gateway.port, host: '127.0.0.1', servername: 'localhost', ca: gateway.tls?.cert });
    let text = '';
    idle.setEncoding('latin1').on('data', (chunk) => {
      text += String(chunk);
    });
    const ask = `GET /open/v1/forecasts HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n\r\n`;
    idle.write(ask);
    await once(idle, 'data');
    const ended = once(idle, 'close');
    const drained = gateway.gateway.drain(DEADLINE_MS);
    idle.write(ask);
    await ended;
    await drained;
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(text.match(/Connection: close/gi)).toHaveLength(1);
  });

  test('does not wait for connections on which nothing was ever asked', async () => {
    gateway = await startGateway(echo, { drainIdleMs: 500 });
    const silent = connect(gateway.port, '127.0.0.1');
    const greeted = connectTls({ port: gateway.port, host: '127.0.0.1', servername: 'localhost', ca: gateway.tls?.cert });
    for (const socket of [silent, greeted]) socket.on('error', () => undefined);
    const ends = Promise.all([once(silent, 'close'), once(greeted, 'close')]);
    await Promise.all([once(silent, 'connect'), once(greeted, 'secureConnect')]);
    await gateway.gateway.drain(DEADLINE_MS);
    silent.resume();
    greeted.resume();
    await ends;
  });
});
