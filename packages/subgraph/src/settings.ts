import { defaultTranslationsMemoryBytes } from '@lectern/data-files';
import {
  address,
  folder,
  logLevel,
  memorySettings,
  port,
  type readSettings,
  requestCpuSetting,
  wholeNumber,
} from '@lectern/serving';
import { telemetrySettings } from '@lectern/telemetry';
import { str } from 'envalid';
import { defaultHeaderName } from './check-caller';

const largeNumber = wholeNumber(1, 1e12);

/** The settings of every process that executes requests of a subgraph. */
export const workSettings = {
  REQUEST_CPU_MS: requestCpuSetting,
  TRANSLATIONS_MEMORY_BYTES: {
    ...largeNumber({
      default: defaultTranslationsMemoryBytes,
      desc: 'The memory of the open translations, in bytes, as an estimate: text and concordance take 0.5 MB each, the search index 7 MB. The least recently used translations are closed, and opened again by the next request. If not set, at most a quarter of MEMORY_MB.',
    }),
    memoryParts: 4,
  },
};

/** More than the 5,000 of a client's operation: a gateway adds fragments, key fields and type names. */
export const defaultMaxTokens = 10_000;

interface SubgraphDescription {
  name: string;
  defaultPort: number;
  /** Names the files that the subgraph reads from the data folder, for the description of the setting. */
  data: string;
  minMemoryMb?: number;
}

/** The settings of a subgraph's process, which docs/settings.md lists. */
export const subgraphSettings = ({ name, defaultPort, data, minMemoryMb = 160 }: SubgraphDescription) => ({
  LECTERN_DATA: folder({ default: 'data', desc: `The folder that holds ${data}.` }),
  HOST: address({ default: '127.0.0.1', desc: `The address the ${name} subgraph listens on.` }),
  PORT: port({ default: defaultPort, desc: `The port the ${name} subgraph listens on.` }),
  SUBGRAPH_SECRET: str({
    default: '',
    desc: 'The secret that the subgraph shares with its gateways, at least 32 characters. To change it, set two separated by a comma: tokens made with either are accepted. If SUBGRAPH_SECRET and SUBGRAPH_HEADER_SECRET are both empty, every caller is served, and HOST must be a loopback address.',
  }),
  SUBGRAPH_HEADER_SECRET: str({
    default: '',
    desc: "The secret that a router other than Lectern's gateway sends in the header SUBGRAPH_HEADER_NAME, at least 32 characters: docs/other-routers.md. To change it, set two separated by a comma: either is accepted. If empty, the header is not read.",
  }),
  SUBGRAPH_HEADER_NAME: str({
    default: defaultHeaderName,
    desc: 'The name of the header with SUBGRAPH_HEADER_SECRET.',
  }),
  EXECUTION_STRATEGY: str({
    default: 'auto',
    choices: ['auto', 'standard'],
    desc: 'How operations are executed. auto: operations are compiled once and executed without Apollo Server where possible. standard: Apollo Server executes every operation. The responses are the same: docs/architecture.md.',
  }),
  MAX_TOKENS: largeNumber({
    default: defaultMaxTokens,
    desc: "The maximum number of tokens in an operation that a gateway sends. An operation with more is rejected before it is validated. If you increase MAX_TOKENS of a gateway, set twice the gateway's value here.",
  }),
  ...workSettings,
  ...memorySettings(minMemoryMb),
  ...telemetrySettings,
  LOG_LEVEL: logLevel({ default: 'info', desc: 'The lowest level that is logged.' }),
});

export type SubgraphConfig = ReturnType<typeof readSettings<ReturnType<typeof subgraphSettings>>>;
