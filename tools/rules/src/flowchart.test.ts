import { expect, test } from '@jest/globals';
import { arrowsOf } from './flowchart.ts';

const chart = (...lines: string[]): string => `Text\n\n\`\`\`mermaid\nflowchart LR\n${lines.join('\n')}\n\`\`\`\n`;

test('a line may name several nodes on both sides, with or without their texts', () => {
  expect(arrowsOf(chart('  a[Text of a] & b --> c[(Store)] & d')).map(({ from, to }) => `${from} ${to}`)).toEqual([
    'a c',
    'a d',
    'b c',
    'b d',
  ]);
});

test('a dotted arrow is a topic, and its label names it', () => {
  expect(arrowsOf(`${chart('a -.->|x.v1| b')}${chart('a -->|HTTPS| b')}`)).toEqual([
    { from: 'a', to: 'b', kind: 'topic', label: 'x.v1' },
    { from: 'a', to: 'b', kind: 'call', label: 'HTTPS' },
  ]);
});

test('a line that is no arrow is an error', () => {
  expect(() => arrowsOf(chart('a --- b'))).toThrow('"a --- b" is no arrow');
});
