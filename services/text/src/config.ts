import { readSettings } from '@lectern/serving';
import { parserSettings, subgraphSettings } from '@lectern/subgraph';

export const settings = {
  ...subgraphSettings({ name: 'text', defaultPort: 4001, data: 'the text.sqlite of each translation' }),
  ...parserSettings,
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
