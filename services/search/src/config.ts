import { parserSettings, readSettings } from '@lectern/serving';
import { subgraphSettings } from '@lectern/subgraph';
import { semanticSettings } from './semantic/semantic-index';

export const settings = {
  ...subgraphSettings({
    name: 'search',
    defaultPort: 4002,
    data: 'the search.sqlite of each translation and the verse vectors',
    minMemoryMb: 320,
  }),
  ...parserSettings,
  ...semanticSettings,
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
