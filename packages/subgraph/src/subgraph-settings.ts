import type { readSettings } from '@lectern/serving';
import { address, folder, port } from '@lectern/serving';
import { telemetrySettings } from '@lectern/telemetry';
import { str } from 'envalid';

export interface AboutProcess {
  name: string;
  defaultPort: number;
  /** What the subgraph takes from the data folder. */
  data: string;
}

/** What a subgraph's process reads from its environment. docs/settings.md lists it, and a test holds that page to this. */
export const subgraphSettings = ({ name, defaultPort, data }: AboutProcess) => ({
  LECTERN_DATA: folder({ default: 'data', desc: `The folder that holds ${data}.` }),
  HOST: address({ default: '127.0.0.1', desc: `The address the ${name} subgraph listens on.` }),
  PORT: port({ default: defaultPort, desc: `The port the ${name} subgraph listens on.` }),
  SUBGRAPH_SECRET: str({
    default: '',
    desc: 'The secret that gateways have to know, at least 32 characters, the same there. While it is changed, two with a comma between: either is good. Empty: anybody may ask, and HOST has to be of this machine alone.',
  }),
  EXECUTION_STRATEGY: str({
    default: 'auto',
    choices: ['auto', 'standard'],
    desc: 'How operations are executed. auto: operations are compiled once and answered without Apollo Server where possible. standard: Apollo Server executes every operation. The responses are the same: docs/execution.md.',
  }),
  ...telemetrySettings,
  LOG_LEVEL: str({
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    desc: 'The least level that is logged.',
  }),
});

export type SubgraphConfig = ReturnType<typeof readSettings<ReturnType<typeof subgraphSettings>>>;
