import { describe, expect, test } from '@jest/globals';
import { ConfigError, choice, duration, httpsBaseUrl, integer, list, loadConfig, optionalText, port, text } from './config.ts';

describe('loadConfig', () => {
  test('fills in what is absent or empty', () => {
    const readers = {
      PORT: port(8443),
      WAIT: duration('5s'),
      MODE: choice(['a', 'b'], 'a'),
      NAME: text('x'),
      ITEMS: list,
      MORE: optionalText,
    };
    const expected = { PORT: 8443, WAIT: 5000, MODE: 'a', NAME: 'x', ITEMS: [], MORE: undefined };
    expect(loadConfig({}, readers)).toEqual(expected);
    expect(loadConfig({ PORT: '', WAIT: '', MODE: '', NAME: '', ITEMS: '', MORE: '' }, readers)).toEqual(expected);
  });

  test('reads what is given', () => {
    const env = { PORT: '0', WAIT: '30m', MODE: 'b', ITEMS: ' a, b ,,c' };
    expect(loadConfig(env, { PORT: port(8443), WAIT: duration('5s'), MODE: choice(['a', 'b'], 'a'), ITEMS: list })).toEqual({
      PORT: 0,
      WAIT: 1_800_000,
      MODE: 'b',
      ITEMS: ['a', 'b', 'c'],
    });
  });

  test('names every wrong variable at once and shows no value', () => {
    const env = { PORT: '70000', WAIT: 'soon', MODE: 'secret-c', COUNT: '1e3' };
    let message = '';
    try {
      loadConfig(env, { PORT: port(1), WAIT: duration('5s'), MODE: choice(['a', 'b'], 'a'), COUNT: integer(1, 0, 9) });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message;
    }
    expect(message).toContain('PORT must be an integer from 0 to 65535');
    expect(message).toContain('WAIT must be a duration such as 500ms');
    expect(message).toContain('MODE must be one of a, b');
    expect(message).toContain('COUNT must be an integer from 0 to 9');
    expect(message).not.toMatch(/70000|soon|secret-c|1e3/);
  });

  test.each(['https://api.example.com', 'https://api.example.com/', 'https://localhost:8443/parcels/'])('takes the address %s', (value) => {
    expect(loadConfig({ BASE: value }, { BASE: httpsBaseUrl }).BASE).toBe(value.replace(/\/$/, ''));
  });

  test.each(['foo', 'http://api.example.com', 'https://a/?b=c', 'https://user@a', 'https://a/#b'])('refuses the address %s', (value) => {
    expect(() => loadConfig({ BASE: value }, { BASE: httpsBaseUrl })).toThrow('BASE must be an https:// address');
  });
});
