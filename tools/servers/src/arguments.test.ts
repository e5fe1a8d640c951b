import { describe, expect, test } from '@jest/globals';
import { parseArguments } from './arguments.ts';

describe('parseArguments', () => {
  test('takes a verb without options', () => {
    expect(parseArguments(['up'])).toEqual({ verb: 'up', servers: [], cluster: false, s3: undefined, keep: false, json: false });
  });

  test('takes each option with its verb', () => {
    expect(parseArguments(['up', '--cluster', '--s3', 'minio'])).toMatchObject({ cluster: true, s3: 'minio' });
    expect(parseArguments(['up', '--s3=versitygw'])).toMatchObject({ s3: 'versitygw' });
    expect(parseArguments(['down', '--keep'])).toMatchObject({ keep: true });
    expect(parseArguments(['status', '--json'])).toMatchObject({ json: true });
  });

  test('takes several servers', () => {
    expect(parseArguments(['kill', 'kafka-1', 'kafka-2'])).toMatchObject({ verb: 'kill', servers: ['kafka-1', 'kafka-2'] });
  });

  test.each([[[]], [['help']], [['--help']], [['up', '-h']]])('shows help for %j', (argv) => {
    expect(parseArguments(argv).verb).toBe('help');
  });

  test.each([
    [['frob'], 'unknown command "frob"'],
    [['stop'], 'stop needs the name of a server'],
    [['down', 'redis'], 'down takes no names'],
    [['down', '--cluster'], 'down has no option --cluster'],
    [['up', '--fast'], 'up has no option --fast'],
    [['up', '--s3', 'disk'], '--s3 takes versitygw or minio'],
    [['up', '--s3'], '--s3 takes versitygw or minio'],
  ])('refuses %j', (argv, message) => {
    expect(() => parseArguments(argv)).toThrow(message);
  });
});
