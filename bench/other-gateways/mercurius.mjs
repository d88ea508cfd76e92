// The Mercurius gateway, which supports Federation 1 only. With our Federation 2 schemas it starts, but
// knows only the fields of one subgraph. Therefore this file rewrites the schemas for Federation 1. The
// subgraph processes are the same as for the other gateways.
import { readFileSync } from 'node:fs';
import mercuriusGateway from '@mercuriusjs/gateway';
import Fastify from 'fastify';
import { Kind, parse, print, visit } from 'graphql';

const subgraphs = JSON.parse(process.env.SUBGRAPHS ?? '{}');
const documents = new Map(
  Object.keys(subgraphs).map((name) => [name, parse(readFileSync(`services/${name}/schema.graphql`, 'utf8'))]),
);
const roots = new Set(['Query', 'Mutation']);
const external = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'external' }, arguments: [] };

/**
 * The fields of each entity in the text subgraph. In Federation 1 one subgraph has to define an entity:
 * text. The other subgraphs extend it, and the fields that text also defines become @external.
 */
const fieldsByEntity = new Map(
  (documents.get('text')?.definitions ?? [])
    .filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION)
    .filter((definition) => definition.directives?.some(({ name }) => name.value === 'key'))
    .map(({ name, fields = [] }) => [name.value, new Set(fields.map((field) => field.name.value))]),
);

/** @returns {import('graphql').DocumentNode} */
const asFederation1 = (subgraph) =>
  visit(documents.get(subgraph) ?? parse(''), {
    SchemaExtension: () => null,
    DirectiveDefinition: () => null,
    Directive: ({ name }) => (name.value === 'key' ? undefined : null),
    ObjectTypeDefinition: {
      leave(type) {
        const textFields = fieldsByEntity.get(type.name.value);
        if (roots.has(type.name.value)) return { ...type, kind: Kind.OBJECT_TYPE_EXTENSION };
        if (subgraph === 'text' || !textFields) return undefined;
        return {
          ...type,
          kind: Kind.OBJECT_TYPE_EXTENSION,
          fields: type.fields?.map((field) =>
            textFields.has(field.name.value) ? { ...field, directives: [external] } : field,
          ),
        };
      },
    },
  });

const services = Object.entries(subgraphs).map(([name, url]) => ({ name, url, schema: print(asFederation1(name)) }));
const app = Fastify();
await app.register(mercuriusGateway, { gateway: { services } });
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
