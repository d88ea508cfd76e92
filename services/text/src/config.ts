import { readSettings } from '@lectern/serving';
import { subgraphSettings } from '@lectern/subgraph';

export const settings = subgraphSettings({ name: 'text', defaultPort: 4001, data: 'corpus.sqlite' });

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
