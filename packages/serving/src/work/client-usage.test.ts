import { createClientUsage } from './client-usage';

interface Entry {
  name: string;
  clients: string[];
}

/** Takes all entries of a queue, each of which uses 10 ms. Returns their names in the order of their turns. */
function orderOf(queue: Entry[], usedBefore: Record<string, number> = {}): string[] {
  const usage = createClientUsage(() => 0);
  for (const [client, ms] of Object.entries(usedBefore)) usage.add(usage.usesOf([client]), ms);
  const waiting = [...queue];
  return queue.map(() => {
    const entry = usage.takeNext(waiting);
    usage.add(usage.usesOf(entry?.clients ?? []), 10);
    return entry?.name ?? '';
  });
}
const entriesOf = (name: string, count: number, ...clients: string[]): Entry[] =>
  Array.from({ length: count }, (_, at) => ({ name: `${name}${at}`, clients }));

test('a queue serves an API key with one waiting request right after the first of ten requests of another API key', () => {
  const order = orderOf([...entriesOf('many', 10, 'key1', '192.0.2.1'), ...entriesOf('one', 1, 'key2', '192.0.2.2')]);
  expect(order.slice(0, 3)).toEqual(['many0', 'one0', 'many1']);
});

test('a queue serves an IP address with one waiting request right after the first of ten API keys at another IP address', () => {
  const keys = Array.from({ length: 10 }, (_, at) => entriesOf(`key${at}-`, 1, `key${at}`, '192.0.2.1')).flat();
  expect(orderOf([...keys, ...entriesOf('one', 1, 'key', '192.0.2.2')])[1]).toBe('one0');
});

test('a queue serves an API key with one waiting request right after the first of ten IP addresses of another API key', () => {
  const addresses = Array.from({ length: 10 }, (_, at) => entriesOf(`at${at}-`, 1, 'key1', `192.0.2.${at}`)).flat();
  expect(orderOf([...addresses, ...entriesOf('one', 1, 'key2', '198.51.100.1')])[1]).toBe('one0');
});

test('in a queue, API keys that share an IP address take turns', () => {
  const address = '192.0.2.1';
  const order = orderOf([...entriesOf('a', 2, 'key1', address), ...entriesOf('b', 2, 'key2', address)]);
  expect(order).toEqual(['a0', 'b0', 'a1', 'b1']);
});

test('in a queue, requests of unknown clients keep their order', () => {
  expect(orderOf(entriesOf('unknown', 3))).toEqual(['unknown0', 'unknown1', 'unknown2']);
});

test('a queue serves clients by the computing time that they have lately used, not by the number of their requests', () => {
  const order = orderOf([...entriesOf('heavy', 2, 'key1'), ...entriesOf('light', 3, 'key2')], { key1: 25 });
  expect(order).toEqual(['light0', 'light1', 'light2', 'heavy0', 'heavy1']);
});

test('the computing time that a client has used counts half after a second, so that old use delays nobody', () => {
  let now = 0;
  const usage = createClientUsage(() => now);
  const uses = usage.usesOf(['key']);
  usage.add(uses, 150);
  expect(usage.isHeavy(uses)).toBe(true);
  now += 1_000;
  expect(usage.isHeavy(uses)).toBe(false);
});

test('the use of clients is measured alike after a process has run for a month', () => {
  let now = 0;
  const usage = createClientUsage(() => now);
  const [first, second] = [usage.usesOf(['first']), usage.usesOf(['second'])];
  for (let day = 0; day < 30; day += 1) {
    for (let step = 0; step < 200; step += 1) {
      now += step % 20 === 0 ? 7_200_000 : 72_000;
      usage.add(first, 90);
      usage.add(second, 10);
    }
  }
  usage.add(first, 20);
  expect([usage.isHeavy(first), usage.isHeavy(second)]).toEqual([true, false]);
});
