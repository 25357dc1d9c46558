import { expect, test } from 'vitest';
import { parseAllowList } from './allow-list.ts';

test('a list has hosts, addresses and networks, each with a port or without', () => {
  const list = parseAllowList(
    'hooks.local, 10.0.0.0/8, 192.168.1.9:8080, [fd00::/8]:443, fe80::1, Relay.example.:8443',
  );
  expect(list?.isEmpty).toBe(false);
  expect(list?.allowsHost('HOOKS.local.', 1)).toBe(true);
  expect(list?.allowsHost('other.local', 1)).toBe(false);
  expect(list?.allowsHost('relay.example', 8443)).toBe(true);
  expect(list?.allowsHost('relay.example', 443)).toBe(false);
  expect(list?.allowsAddress('10.255.0.1', 9)).toBe(true);
  expect(list?.allowsAddress('::ffff:10.255.0.1', 9)).toBe(true);
  expect(list?.allowsAddress('11.0.0.1', 9)).toBe(false);
  expect(list?.allowsAddress('192.168.1.9', 8080)).toBe(true);
  expect(list?.allowsAddress('192.168.1.9', 8081)).toBe(false);
  expect(list?.allowsAddress('fd12::1', 443)).toBe(true);
  expect(list?.allowsAddress('fd12::1', 80)).toBe(false);
  expect(list?.allowsAddress('fe80::1', 80)).toBe(true);
});

test.each([
  '',
  ',',
  'http://host',
  'host/8',
  '10.0.0.0/33',
  'host:0',
  'host:99999',
  'a b',
  '10.0.0.0/8/9',
  '[::1',
  '1.2.3',
])('%j is no list', (text) => expect(parseAllowList(text)).toBeUndefined());
