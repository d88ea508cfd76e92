// @apollo/gateway in @apollo/server, set up as in Apollo's documentation, without API keys, limits and logs.
import { readFileSync } from 'node:fs';
import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';

const gateway = new ApolloGateway({ supergraphSdl: readFileSync(process.env.SUPERGRAPH ?? '', 'utf8') });
const server = new ApolloServer({ gateway });
await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: Number(process.env.PORT) } });
