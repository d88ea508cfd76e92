import { execFileSync } from 'node:child_process';
import { dataDir, repositoryRoot, startProcess } from '@lectern/testing';

test('without OTEL_EXPORTER_OTLP_ENDPOINT, the function startTelemetry loads no OpenTelemetry SDK and no exporter', () => {
  const script = `
    const { startTelemetry } = require('./packages/telemetry/dist');
    const config = { METRICS_PORT: 0, METRICS_HOST: '127.0.0.1', OTEL_EXPORTER_OTLP_ENDPOINT: process.argv[1] ?? '' };
    startTelemetry({ service: 'text', config, log: { info() {}, warn() {} } }).then(({ close }) => {
      console.log(Object.keys(require.cache).filter((file) => /@opentelemetry.(sdk|exporter|otlp|core|resources)/.test(file)).length);
      return close();
    });`;
  const loaded = (...args: string[]): number =>
    Number(execFileSync(process.execPath, ['-e', script, ...args], { cwd: repositoryRoot, encoding: 'utf8' }));
  expect(loaded()).toBe(0);
  expect(loaded('http://127.0.0.1:1')).toBeGreaterThan(0);
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
])('an invalid value of %s stops the startup with an error that names the setting', async (name, value) => {
  await expect(startProcess('services/text/dist/main.js', { LECTERN_DATA: dataDir, [name]: value })).rejects.toThrow(
    name,
  );
});
