import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { graphqlHeaders, repositoryRoot, send } from '@lectern/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv2020 from 'ajv/dist/2020';
import { type ClientServices, startClientServices } from './client-examples-fixture';

const isOperation = /^query (\w+)/m;
const kebab = (name: string): string => name.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase();

/** The documents of @lectern/client, with readable ids. */
const documents = Object.values(
  JSON.parse(readFileSync(join(repositoryRoot, 'packages/client/dist/trusted-documents.json'), 'utf8')) as Record<
    string,
    string
  >,
).map((text) => [kebab(isOperation.exec(text)?.[1] ?? ''), text] as const);

interface OpenApi {
  readonly paths: Readonly<Record<string, { get: { operationId: string; responses: Record<string, object> } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

let services: ClientServices;
let description: OpenApi;
const readDescription = async () =>
  JSON.parse((await send(`${services.lectern.origin}/openapi.json`, { method: 'GET' })).text) as OpenApi;
beforeAll(async () => {
  services = await startClientServices();
  await services.publishManifest(JSON.stringify(Object.fromEntries(documents)));
  description = await readDescription();
});
afterAll(() => services.close());

test('GET /openapi.json describes each trusted document as OpenAPI 3.1 that a validator accepts', async () => {
  expect(await new Validator().validate({ ...description })).toMatchObject({ valid: true });
  expect(documents.length).toBeGreaterThanOrEqual(25);
  expect(Object.keys(description.paths)).toEqual(documents.map(([id]) => `/documents/${id}`));
});

test('GET /openapi.json needs no key, and pages of all origins may read it', async () => {
  const { status, headers } = await send(`${services.lectern.origin}/openapi.json`, { method: 'GET' });
  expect([status, headers['access-control-allow-origin'], headers['content-type']]).toEqual([
    200,
    '*',
    'application/json; charset=utf-8',
  ]);
});

const john316 = { book: 'John', chapter: 3, verse: 16 };
test.each<[string, Record<string, unknown>]>([
  ['translations', {}],
  ['bible-index', { translation: 'eng-web' }],
  ['passage', { reference: 'Rom 12:1,3-4' }],
  ['reading-chapter', { book: 'PSA', chapter: 23 }],
  ['verse', john316],
  ['verse-words', { ...john316, translation: 'eng-kjv' }],
  ['verses', { ids: ['unknown'] }],
  ['search-verses', { query: 'shepherd', testament: 'NEW', first: 3 }],
  ['concordance', { translation: 'eng-kjv', word: 'shepherd', first: 3 }],
  ['search-originals', { words: [{ lemma: 'agapao' }], withVerses: false }],
  ['search-originals', { words: [{ lemma: 'agapao' }], withVerses: true, first: 2 }],
  ['lexicon-entry', { id: 'abbott-smith:ἀγάπη' }],
])('the response to GET /documents/%s with %j is one that /openapi.json describes', async (id, variables) => {
  const query = `variables=${encodeURIComponent(JSON.stringify(variables))}`;
  const { lectern } = services;
  const response = await send(`${lectern.origin}/documents/${id}?${query}`, {
    method: 'GET',
    headers: graphqlHeaders(lectern.token),
  });
  const { operationId, responses } = description.paths[`/documents/${id}`]?.get ?? { operationId: '', responses: {} };
  // A field that the description does not know is an error too.
  const closed = JSON.parse(JSON.stringify(description), (_, value: Record<string, unknown>) =>
    value && 'properties' in Object(value) && !('in' in value) ? { ...value, unevaluatedProperties: false } : value,
  ) as OpenApi;
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'https://lectern.example/', ...closed });
  const pointer = `https://lectern.example/#/paths/${`/documents/${id}`.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
  const validate = ajv.compile({ $ref: pointer });
  validate(response.json());
  expect([response.status, validate.errors]).toEqual([200, null]);
  expect(responses).toHaveProperty('304');
  const validateVariables = ajv.compile({
    $ref: `https://lectern.example/#/components/schemas/${operationId}Variables`,
  });
  expect([validateVariables(variables), validateVariables({ ...variables, unknown: 1 })]).toEqual([true, false]);
});

test('the example of OpenAPI in examples/clients/README.md runs with the types of openapi-typescript', async () => {
  const folder = services.openFolder('examples/clients/README.md', 'OpenAPI');
  const program = join(repositoryRoot, 'tools/checks/node_modules/.bin/openapi-typescript');
  const results: { status: unknown; output: string }[] = [];
  for (const command of folder.commands)
    results.push(await folder.run(command.replace('npx openapi-typescript', program)));
  expect(results.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(results.at(-1)?.output).toBe('Jesus wept.\n');
  folder.write('verse.ts', folder.read('verse.ts').replace('chapter: 11', "chapter: 'eleven'"));
  const wrong = await folder.run(folder.commands[1] ?? '');
  expect(wrong.output).toContain("Type 'string' is not assignable to type 'number'");
});

test('GET /openapi.json describes the new documents after the operator has published another manifest', async () => {
  await services.publishManifest(JSON.stringify({ 'a/b': '{ languages { code } }' }));
  const { paths } = await readDescription();
  expect(Object.keys(paths)).toEqual(['/documents/a%2Fb']);
});
