import { describe, expect, test } from '@jest/globals';
import { parseArguments } from './arguments.ts';

describe('parseArguments', () => {
  test('takes a verb without options', () => {
    expect(parseArguments(['up'])).toEqual({
      verb: 'up',
      servers: [],
      cluster: false,
      s3: undefined,
      mongoCache: undefined,
      kafkaDefaults: false,
      keep: false,
      json: false,
    });
  });

  test('takes each option with its verb', () => {
    expect(parseArguments(['up', '--cluster', '--s3', 'minio'])).toMatchObject({ cluster: true, s3: 'minio' });
    expect(parseArguments(['up', '--s3=versitygw'])).toMatchObject({ s3: 'versitygw' });
    expect(parseArguments(['up', '--mongo-cache', '1', '--cluster'])).toMatchObject({ mongoCache: 1, cluster: true });
    expect(parseArguments(['up', '--mongo-cache=0.5'])).toMatchObject({ mongoCache: 0.5 });
    expect(parseArguments(['up', '--kafka-defaults'])).toMatchObject({ kafkaDefaults: true });
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
    [['up', '--mongo-cache', '0.1'], '--mongo-cache takes GiB from 0.25 to 64'],
    [['up', '--mongo-cache', '1 GB'], '--mongo-cache takes GiB from 0.25 to 64'],
    [['up', '--mongo-cache='], '--mongo-cache takes GiB from 0.25 to 64'],
    [['up', '--mongo-cache'], '--mongo-cache takes GiB from 0.25 to 64'],
    [['down', '--mongo-cache', '1'], 'down has no option --mongo-cache'],
  ])('refuses %j', (argv, message) => {
    expect(() => parseArguments(argv)).toThrow(message);
  });
});
