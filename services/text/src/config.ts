import { httpUrl, parserSettings, readSettings } from '@lectern/serving';
import { subgraphSettings } from '@lectern/subgraph';

export const defaultOfflineBaseUrl = 'http://localhost:4000';

export const settings = {
  ...subgraphSettings({
    name: 'text',
    defaultPort: 4001,
    data: 'the text.sqlite and the offline packages of each translation',
  }),
  ...parserSettings,
  OFFLINE_BASE_URL: httpUrl({
    default: defaultOfflineBaseUrl,
    desc: 'The URL below which clients download offline packages: the public URL of the gateways, without /graphql, or the host to which `npm run corpus -- export` copied the packages.',
  }),
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
