import { readSettings } from '@lectern/serving';
import { subgraphSettings } from '@lectern/subgraph';

export const settings = subgraphSettings({
  name: 'originals',
  defaultPort: 4005,
  data: 'the text.sqlite of each translation and originals.sqlite',
});

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
