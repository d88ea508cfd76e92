// The routers that are compiled programs and not npm packages. The environment variables HIVE_ROUTER,
// APOLLO_ROUTER and COSMO_ROUTER have the paths of the programs.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The arguments of npx that compose the configuration of Cosmo Router, which cannot read a supergraph. */
const cosmoCompose = ['--yes', 'wgc@0.112.7', 'router', 'compose', '--suppress-warnings'];

/**
 * Lists the routers, in the form of gateways.mjs. `command` writes the router's configuration into
 * `folder` and returns the command that starts the router. `setting` is the environment variable with
 * the program's path. `program` is its value, or undefined if it is not set.
 */
export const createRouterPrograms = ({ root, folder, supergraphFile, subgraphUrls }) => {
  const write = (name, text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  return {
    'hive-router': {
      title: 'Hive Router',
      about: 'the router in Rust, two workers',
      setting: 'HIVE_ROUTER',
      program: process.env['HIVE_ROUTER'],
      command: (port) => ({
        args: [],
        cwd: folder,
        env: {
          LOG_LEVEL: 'error',
          HIVE_USAGE_REPORTING_ENABLED: 'false',
          HIVE_TRACING_ENABLED: 'false',
          ROUTER_CONFIG_FILE_PATH: write(
            'hive-router.yaml',
            `http: { host: 127.0.0.1, port: ${port}, workers: 2 }
log: { level: error }
laboratory: { enabled: false }
introspection: false
supergraph: { source: file, path: ${JSON.stringify(supergraphFile)} }
`,
          ),
        },
      }),
    },
    'apollo-router': {
      title: 'Apollo Router',
      about: 'the router in Rust, default settings',
      setting: 'APOLLO_ROUTER',
      program: process.env['APOLLO_ROUTER'],
      command: (port) => {
        const config = write(
          'apollo-router.yaml',
          `supergraph: { listen: "127.0.0.1:${port}", path: /graphql, introspection: false }
homepage: { enabled: false }
sandbox: { enabled: false }
health_check: { enabled: false }
`,
        );
        return {
          args: ['--supergraph', supergraphFile, '-c', config, '--log', 'error', '--anonymous-telemetry-disabled'],
          cwd: folder,
          env: {},
        };
      },
    },
    'cosmo-router': {
      title: 'Cosmo Router',
      about: 'the router in Go, default settings',
      setting: 'COSMO_ROUTER',
      program: process.env['COSMO_ROUTER'],
      command: (port) => {
        const subgraphs = Object.entries(subgraphUrls).map(([name, url]) => ({
          name,
          routing_url: url,
          schema: { file: join(root, 'services', name, 'schema.graphql') },
        }));
        // The file may contain JSON, because every JSON text is valid YAML.
        const input = write('cosmo-subgraphs.yaml', JSON.stringify({ version: 1, subgraphs }));
        const composed = join(folder, 'cosmo-router.json');
        execFileSync('npx', [...cosmoCompose, '-i', input, '-o', composed], { stdio: 'ignore' });
        const env = { EXECUTION_CONFIG_FILE_PATH: composed, LISTEN_ADDR: `127.0.0.1:${port}`, LOG_LEVEL: 'error' };
        return { args: [], cwd: folder, env };
      },
    },
  };
};
