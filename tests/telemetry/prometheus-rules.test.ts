import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, repositoryRoot } from '@lectern/testing';
import { alerts, namesIn, recordingRules } from './prometheus-expressions';

const folder = join(repositoryRoot, 'deploy/observability/prometheus');
const promtool = findProgram(['promtool'], 'prometheus');
const describeWithPromtool = promtool === null ? describe.skip : describe;
const run = (...args: string[]): string => execFileSync(promtool ?? '', args, { cwd: folder, encoding: 'utf8' });

describeWithPromtool('promtool', () => {
  test('promtool accepts the Prometheus configuration and its rules', () => {
    const output = run('check', 'config', '--lint-fatal', 'prometheus.yml');
    expect(output).toContain(`${recordingRules().length} rules found`);
    expect(output).toContain(`${alerts().length} rules found`);
  });

  test('the Prometheus rules pass the tests of rules.test.yml', () => {
    expect(run('test', 'rules', 'rules.test.yml')).toContain('SUCCESS');
  });
});

test('rules.test.yml, which contains the tests of the Prometheus rules, tests each alert of alerts.yml', () => {
  const tested = readFileSync(join(folder, 'rules.test.yml'), 'utf8');
  expect(alerts().flatMap(({ alert = '' }) => (tested.includes(alert) ? [] : alert))).toEqual([]);
});

test('docs/metrics.md lists every Prometheus alert with its severity and its duration (the key `for`)', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/metrics.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(Lectern\w+)` \| (\w+) \| (\w+) \|/gm)].map((match) => match.slice(1));
  const source = readFileSync(join(folder, 'alerts.yml'), 'utf8');
  const written = [...source.matchAll(/alert: (\w+)\n.*\n\s+for: (\w+)\n.*severity: (\w+)/g)];
  expect(written).toHaveLength(alerts().length);
  expect(listed).toEqual(written.map(([, alert, after, severity]) => [alert, severity, after]));
});

test('namesIn, with which tests check PromQL expressions, finds the metrics and labels of an expression', () => {
  expect(
    namesIn('sum by (le, a) (rate(some_bucket{b="x", c!~"y"}[5m])) / 2 > 0.5 * max(other:rate5m) or on (d) up'),
  ).toEqual({
    metrics: ['some_bucket', 'other:rate5m', 'up'],
    labels: ['b', 'c', 'le', 'a', 'd'],
  });
});
