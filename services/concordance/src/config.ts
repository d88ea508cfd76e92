import { readSettings } from '@lectern/serving';
import { subgraphSettings } from '@lectern/subgraph';

export const settings = subgraphSettings({
  name: 'concordance',
  defaultPort: 4003,
  data: 'the concordance.sqlite of each translation and strongs.sqlite',
});

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
