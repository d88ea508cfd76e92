import { readSettings } from '@lectern/serving';
import { subgraphSettings } from '@lectern/subgraph';

export const settings = subgraphSettings({
  name: 'study',
  defaultPort: 4004,
  data: 'the study.sqlite of each translation and reference-works.sqlite',
});

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
