import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { parse } from 'yaml';

const folder = join(repositoryRoot, 'deploy/observability');

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const readRules = (file: string): Rule[] =>
  (parse(readFileSync(join(folder, 'prometheus', file), 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  );

export const recordingRules = (): Rule[] => readRules('recording-rules.yml');
export const alerts = (): Rule[] => readRules('alerts.yml');

/** The expressions of the rules, the alerts and the dashboard, each with its name. */
export function prometheusExpressions(): { readonly name: string; readonly expr: string }[] {
  const { panels, templating } = JSON.parse(readFileSync(join(folder, 'grafana/lectern-dashboard.json'), 'utf8')) as {
    panels: Panel[];
    templating: { list: { name: string; definition?: string }[] };
  };
  return [
    ...[...recordingRules(), ...alerts()].map(({ record, alert, expr }) => ({ name: record ?? alert ?? '', expr })),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ name: title, expr }))),
    ...templating.list.flatMap(({ name, definition = '' }) => (definition === '' ? [] : { name, expr: definition })),
  ];
}

const operators = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset']);

/** Returns the names of metrics and labels in a PromQL expression or a Grafana `label_values()`. */
export function namesIn(expr: string): { readonly metrics: string[]; readonly labels: string[] } {
  const labels: string[] = [];
  const addLabels = (text: string): string => {
    labels.push(...(text.match(/[a-z_]\w*/gi) ?? []).filter((word) => !operators.has(word)));
    return ' ';
  };
  const rest = expr
    .replace(/label_values\((\w+), (\w+)\)/, (_, metric: string, label: string) => `${metric}${addLabels(label)}`)
    .replace(/"[^"]*"/g, '')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\{[^}]*\}/g, addLabels)
    .replace(/\b(?:by|without|on|ignoring) ?\([^)]*\)/g, addLabels);
  const metrics = [...rest.matchAll(/(?<![\w.:])[a-z_][\w:]*(?![\w:]*\s*\()/gi)].map(([name]) => name);
  return { metrics: metrics.filter((name) => !operators.has(name)), labels };
}

/**
 * Returns the metrics and labels of our expressions that do not exist: `scraped`, the text of
 * /metrics, does not contain them, no recording rule makes them, and Prometheus does not add them.
 */
export function namesNotIn(scraped: string): string[] {
  const metrics = new Set([...scraped.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name = '']) => name));
  const labels = new Set([...scraped.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label));
  for (const { record = '' } of recordingRules()) metrics.add(record);
  metrics.add('up');
  for (const label of ['job', 'instance']) labels.add(label);
  return prometheusExpressions().flatMap(({ name, expr }) => {
    const used = namesIn(expr);
    return [
      ...used.metrics.filter((each) => !metrics.has(each)),
      ...used.labels.filter((each) => !labels.has(each)),
    ].map((each) => `${name}: ${each}`);
  });
}
