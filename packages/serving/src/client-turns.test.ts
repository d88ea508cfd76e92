import { createClientTurns } from './index';

/** Takes all entries of a queue. Returns their names in the order of their turns. */
function orderOf(queue: { name: string; clients: string[] }[]): string[] {
  const turns = createClientTurns();
  const waiting = [...queue];
  return queue.map(() => turns.takeNext(waiting)?.name ?? '');
}
const entriesOf = (name: string, count: number, ...clients: string[]) =>
  Array.from({ length: count }, (_, at) => ({ name: `${name}${at}`, clients }));

test('a fair queue serves an API key with one waiting request right after the first of ten requests of another API key', () => {
  const order = orderOf([...entriesOf('many', 10, 'key1', '192.0.2.1'), ...entriesOf('one', 1, 'key2', '192.0.2.2')]);
  expect(order.slice(0, 3)).toEqual(['many0', 'one0', 'many1']);
});

test('a fair queue serves an IP address with one waiting request right after the first of ten API keys that wait at another IP address', () => {
  const keys = Array.from({ length: 10 }, (_, at) => entriesOf(`key${at}-`, 1, `key${at}`, '192.0.2.1')).flat();
  expect(orderOf([...keys, ...entriesOf('one', 1, 'key', '192.0.2.2')])[1]).toBe('one0');
});

test('a fair queue serves an API key with one waiting request right after the first of ten IP addresses of another API key', () => {
  const addresses = Array.from({ length: 10 }, (_, at) => entriesOf(`at${at}-`, 1, 'key1', `192.0.2.${at}`)).flat();
  expect(orderOf([...addresses, ...entriesOf('one', 1, 'key2', '198.51.100.1')])[1]).toBe('one0');
});

test('in a fair queue, API keys that share an IP address take turns, and requests of unknown clients keep their order', () => {
  const address = '192.0.2.1';
  expect(orderOf([...entriesOf('a', 2, 'key1', address), ...entriesOf('b', 2, 'key2', address)])).toEqual([
    'a0',
    'b0',
    'a1',
    'b1',
  ]);
  expect(orderOf(entriesOf('unknown', 3))).toEqual(['unknown0', 'unknown1', 'unknown2']);
});
