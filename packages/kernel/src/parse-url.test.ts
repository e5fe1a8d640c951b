import { describe, expect, test } from '@jest/globals';
import { hintOf, nearMiss } from './near-miss.ts';
import { type Address, isWithin, type Network, networkText, parseAddress, parseNetwork } from './networks.ts';
import { parseUrl } from './parse-url.ts';

test.each([
  ['https://receiver.example/hook?x=1', 'receiver.example'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://[2606:4700::1111]/', '[2606:4700::1111]'],
])('%s names the host %s, however often it is asked', (text, host) => {
  // As often as V8 needs to compile the caller.
  for (let call = 0; call < 20_000; call += 1) if (parseUrl(text)?.hostname !== host) throw new Error(`call ${call} finds another host`);
  expect(parseUrl(text)?.hostname).toBe(host);
});

test.each(['', 'receiver.example', '/hook', 'https://', 'https://a b/', 'https://[::1/'])('"%s" is none', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

const network = (text: string): Network => parseNetwork(text) as Network;

describe('an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is %s', (text, shown) => expect(parseAddress(text)?.toString()).toBe(shown));

  test.each(['', '1', '0x7f.1', '127.1', '010.0.0.1', '1.2.3.256', '1.2.3.4:80', '[::1]', 'example.com', ':'])('is not %p', (text) =>
    expect(parseAddress(text)).toBeUndefined(),
  );
});

describe('a network', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:db8:1::/32', '2001:db8::/32'],
    ['2001:0DB8::1/128', '2001:db8::1'],
    ['::/0', '::/0'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ])('%s is written %s', (text, shown) => {
    expect(networkText(network(text))).toBe(shown);
    expect(networkText(network(shown))).toBe(shown);
  });

  test.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    '::ffff:10.0.0.0/95',
    'fe80::1%eth0/64',
  ])('is not %p', (text) => expect(parseNetwork(text)).toBeUndefined());

  test.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['2001:db8::/32', '2001:db8::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '10.0.0.1', false],
  ])('%s has %s: %p', (text, address, expected) => {
    expect(isWithin(parseAddress(address) as Address, network(text))).toBe(expected);
  });
});

const weighing = [
  ...['event_id', 'occurred_at', 'warehouse_code', 'forecast_no', 'express_no', 'type'],
  ...['length_cm', 'width_cm', 'height_cm', 'weight_kg', 'photo_ids'],
];

test.each([
  ['weight_lb', 'weight_kg'],
  ['weight', 'weight_kg'],
  ['lengthCm', 'length_cm'],
  ['witdh_cm', 'width_cm'],
  ['occured_at', 'occurred_at'],
])('%s was probably meant for %s', (name, field) => expect(nearMiss(name, weighing)).toBe(field));

test.each(['operator', '', 'x', '__proto__'])('%p resembles no field', (name) => expect(nearMiss(name, weighing)).toBeUndefined());

test.each([
  ['a letter too few', 'abcdefg', 'abcdefgh'],
  ['a letter too many', 'abcdefghi', 'abcdefgh'],
  ['a wrong letter', 'abcXefgh', 'abcdefgh'],
  ['the first two letters swapped', 'bacdefgh', 'abcdefgh'],
  ['the last two letters swapped', 'abcdefhg', 'abcdefgh'],
  ['two typos', 'bacdefhg', 'abcdefgh'],
  ['the first letter missing', 'bcdefgh', 'abcdefgh'],
])('%s is a slip', (_what, name, field) => expect(nearMiss(name, [field])).toBe(field));

test.each([
  ['three typos', 'bacdXfhg', 'abcdefgh'],
  ['two typos in a short name', 'bacdefX', 'abcdefg'],
  ['a typo in a name of three letters', 'abx', 'abc'],
  ['letters that are swapped across another', 'cbadefg', 'abcdefg'],
  ['no letter in common', 'zzzzzzzz', 'abcdefgh'],
])('%s is none', (_what, name, field) => expect(nearMiss(name, [field])).toBeUndefined());

test('of several fields the one that takes fewest changes was meant, in whichever position', () => {
  expect(nearMiss('abcdefgx', ['abcdefyz', 'abcdefgh'])).toBe('abcdefgh');
  expect(nearMiss('abcdefgx', ['abcdefgh', 'abcdefyz'])).toBe('abcdefgh');
});

test('the same letters come before a slip', () => expect(nearMiss('Abcd_Efgh', ['abcdefgi', 'abcdefgh'])).toBe('abcdefgh'));

test('only a field with a unit is meant by another unit', () => {
  expect(nearMiss('volume_in_litres', ['volume_in_m'])).toBe('volume_in_m');
  expect(nearMiss('volume_litres', ['volume'])).toBeUndefined();
  expect(nearMiss('_litres', ['_m'])).toBeUndefined();
  expect(nearMiss('shipping_method', ['shipping_label'])).toBeUndefined();
});

test('a name is compared up to forty characters', () => {
  const field = 'a'.repeat(41);
  expect(nearMiss('a'.repeat(40), [field])).toBe(field);
  expect(nearMiss(field, [field])).toBeUndefined();
});

test.each([
  ['quantity', ['forecast_type', 'forecast_quantity', 'forecast_price'], 'forecast_quantity'],
  ['number', ['tracking_number'], 'tracking_number'],
  ['id', ['event_id', 'photo_id'], undefined],
  ['uantity', ['forecast_quantity'], undefined],
  ['', ['forecast_'], undefined],
])('the last words of a field mean it when no other field ends in them: %s', (name, known, field) => {
  expect(nearMiss(name, known)).toBe(field);
});

test('a hint names the field, and is empty when none resembles the name', () => {
  expect(hintOf('due_dat', ['due_date'])).toBe('; did you mean due_date?');
  expect(hintOf('colour', ['due_date'])).toBe('');
});
