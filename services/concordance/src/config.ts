import { readSettings } from '@lectern/serving';
import { subgraphSettings } from '@lectern/subgraph';

export const settings = subgraphSettings({ name: 'concordance', defaultPort: 4003, data: 'concordance.sqlite' });

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
