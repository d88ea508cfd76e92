import { cleanEnv, host, num, port, str } from 'envalid';

/** What the gateway reads from its environment. docs/settings.md lists it, and a test holds that page to this. */
export const settings = {
  LECTERN_DATA: str({ default: 'data', desc: 'The folder that holds keys.sqlite, and key-pepper where KEY_PEPPER is not set.' }),
  LECTERN_ENVIRONMENT: str({ default: 'test', choices: ['live', 'test'], desc: 'Which keys are good here: those with the prefix svc_live_ or svc_test_.' }),
  HOST: host({ default: '127.0.0.1', desc: 'The address the gateway listens on.' }),
  PORT: port({ default: 4000, desc: 'The port the gateway listens on.' }),
  LOG_LEVEL: str({ default: 'info', choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'], desc: 'The least level that is logged. Every request is a line at info.' }),
  KEY_PEPPER: str({ default: '', desc: 'The secret that keys are made and stored with, at least 32 characters; the same on every gateway. Empty: the file key-pepper, made at the first start.' }),
  SUPERGRAPH: str({ default: 'supergraph.graphql', desc: 'The composed supergraph, as a file.' }),
  SUBGRAPH_URLS: str({ default: '', desc: 'Where subgraphs are, when not at the URLs of the supergraph: text=http://text:4001/graphql,search=...' }),
  SUBGRAPH_TIMEOUT_MS: num({ default: 5_000, desc: 'How long a subgraph may take to answer, in milliseconds, before its fields are null.' }),
  SUBGRAPH_CONNECTIONS: num({ default: 32, desc: 'The most connections that are held to one subgraph.' }),
  MAX_BODY_BYTES: num({ default: 100_000, desc: 'The largest request body that is read, in bytes.' }),
  MAX_TOKENS: num({ default: 5_000, desc: 'The most tokens that a query may have.' }),
  MAX_DEPTH: num({ default: 15, desc: 'The deepest that a query may be nested.' }),
  MAX_COMPLEXITY: num({ default: 300, desc: 'The most that a query may cost.' }),
  CORS_ORIGINS: str({ default: '*', desc: 'The origins whose pages may call the API, with commas between; * for any.' }),
};

export const readConfig = (env: NodeJS.ProcessEnv) => cleanEnv(env, settings);

/** The settings of one query, under the names that the code uses. */
export const limitsOf = (config: { MAX_TOKENS: number; MAX_DEPTH: number; MAX_COMPLEXITY: number }) => ({ tokens: config.MAX_TOKENS, depth: config.MAX_DEPTH, complexity: config.MAX_COMPLEXITY });
