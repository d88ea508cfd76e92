import { createLogger, createOutageReporter } from './index';

test('the logger redacts API keys in headers, URLs, errors and messages', () => {
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  const key = `svc_live_${'a'.repeat(49)}`;
  log.info(
    { headers: { authorization: `Bearer ${key}` }, url: `/graphql?key=${key}`, err: new Error(`bad ${key}`) },
    `saw ${key}`,
  );
  expect(lines.join()).not.toContain('aaaa');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', service: 'test', msg: 'saw svc_live_[redacted]' });
});

function recordedReporter() {
  const lines: unknown[] = [];
  const log = createLogger({
    service: 'test',
    level: 'info',
    destination: {
      write(line) {
        const { level, msg, reason, url } = JSON.parse(line) as Record<string, unknown>;
        lines.push({ level, msg, reason, url });
      },
    },
  });
  const messages = { began: 'the store does not respond', ended: 'the store responds again' };
  return { lines, reporter: createOutageReporter(log, messages, { url: 'http://store' }) };
}

test('an outage reporter logs one warning at the start of an outage, and one line at its end', () => {
  const { lines, reporter } = recordedReporter();
  reporter.end();
  reporter.begin(new Error('connection refused'));
  reporter.begin(new Error('timeout'));
  expect(reporter.isOngoing()).toBe(true);
  reporter.end();
  reporter.end();
  expect(reporter.isOngoing()).toBe(false);
  expect(lines).toEqual([
    { level: 'warn', msg: 'the store does not respond', reason: 'connection refused', url: 'http://store' },
    { level: 'info', msg: 'the store responds again', reason: undefined, url: 'http://store' },
  ]);
});

test('an outage reporter logs the start and the end of each of two outages', () => {
  const { lines, reporter } = recordedReporter();
  for (const reason of ['first', 'second']) {
    reporter.begin(reason);
    reporter.end();
  }
  expect(lines).toMatchObject([
    { msg: 'the store does not respond', reason: 'first' },
    { msg: 'the store responds again' },
    { msg: 'the store does not respond', reason: 'second' },
    { msg: 'the store responds again' },
  ]);
});
