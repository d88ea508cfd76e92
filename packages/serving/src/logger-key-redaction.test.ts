import { createLogger } from './index';

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
