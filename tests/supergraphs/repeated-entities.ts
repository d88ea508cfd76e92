import { findBy, required, type SupergraphFixture, subgraph } from './fixture';

const people = [
  { id: 'p1', name: 'Ruth', age: 20, home: 'Moab' },
  { id: 'p2', name: 'Boaz', age: 50, home: 'Judah' },
];
const [ruth, boaz] = people.map(({ id }) => ({ id }));

/** The same entities at several fields, in each place with another selection. */
export const repeatedEntities: SupergraphFixture = {
  name: 'repeated-entities',
  subgraphs: () => ({
    fields: subgraph(
      `type Query { field: Field! fields: [Field!]! owner: Person people: [Person] }
       type Field @key(fields: "id") { id: ID! owner: Person reaper: Person! guests: [Person!]! next: Field }
       type Person @key(fields: "id") { id: ID! }`,
      {
        Query: {
          field: () => ({ id: 'f1' }),
          fields: () => [{ id: 'f1' }, { id: 'f2' }],
          owner: () => boaz,
          people: () => [ruth, boaz, ruth, null, ruth],
        },
        Field: {
          owner: ({ id }: { id: string }) => (id === 'f1' ? boaz : null),
          reaper: () => ruth,
          guests: () => [ruth, ruth, boaz],
          next: ({ id }: { id: string }) => (id === 'f1' ? { id: 'f2' } : null),
          __resolveReference: ({ id }: { id: string }) => ({ id }),
        },
      },
    ),
    people: subgraph(
      `type Person @key(fields: "id") { id: ID! name: String age: Int home: String greet(word: String!): String boss: Person }
       type Field @key(fields: "id") { id: ID! size: Int! }`,
      {
        Person: {
          __resolveReference: findBy(people, 'id'),
          greet: ({ name }: { name: string }, { word }: { word: string }) => `${word}, ${name}`,
          boss: ({ id }: { id: string }) => (id === 'p1' ? people[1] : null),
        },
        Field: { __resolveReference: ({ id }: { id: string }) => ({ id, size: id === 'f1' ? 10 : 20 }) },
      },
    ),
    ages: subgraph(
      `type Person @key(fields: "id") { id: ID! age: Int @external old: Boolean @requires(fields: "age") }`,
      {
        Person: {
          __resolveReference: findBy([{ id: 'p1' }, { id: 'p2' }], 'id'),
          old: (person: Readonly<Record<string, unknown>>) => required<number>(person, 'age') > 30,
        },
      },
    ),
  }),
  cases: [
    {
      name: 'one entity at several fields, each with its own fields',
      query: '{ field { owner { name } reaper { age } guests { home } } owner { age name } people { name } }',
      data: {
        field: {
          owner: { name: 'Boaz' },
          reaper: { age: 20 },
          guests: [{ home: 'Moab' }, { home: 'Moab' }, { home: 'Judah' }],
        },
        owner: { age: 50, name: 'Boaz' },
        people: [{ name: 'Ruth' }, { name: 'Boaz' }, { name: 'Ruth' }, null, { name: 'Ruth' }],
      },
    },
    {
      name: 'one alias with other meanings at each field',
      query:
        '{ field { owner { x: name id: home } reaper { x: age id: old } guests { x: home id: age } } owner { x: old } }',
      data: {
        field: {
          owner: { x: 'Boaz', id: 'Judah' },
          reaper: { x: 20, id: false },
          guests: [
            { x: 'Moab', id: 20 },
            { x: 'Moab', id: 20 },
            { x: 'Judah', id: 50 },
          ],
        },
        owner: { x: true },
      },
    },
    {
      name: 'one field with other arguments at each place',
      query:
        'query ($word: String!) { field { owner { greet(word: "Shalom") } reaper { greet(word: $word) again: greet(word: "Hail") } } people { greet(word: "Peace") } }',
      variables: { word: 'Come' },
      data: {
        field: {
          owner: { greet: 'Shalom, Boaz' },
          reaper: { greet: 'Come, Ruth', again: 'Hail, Ruth' },
        },
        people: [
          { greet: 'Peace, Ruth' },
          { greet: 'Peace, Boaz' },
          { greet: 'Peace, Ruth' },
          null,
          { greet: 'Peace, Ruth' },
        ],
      },
    },
    {
      name: 'one entity at two aliases of one field, with other depths',
      query:
        '{ a: field { reaper { boss { old } } size } b: field { reaper { boss { name boss { name } } name } next { size owner { name } next { id } } } }',
      data: {
        a: { reaper: { boss: { old: true } }, size: 10 },
        b: {
          reaper: { boss: { name: 'Boaz', boss: null }, name: 'Ruth' },
          next: { size: 20, owner: null, next: null },
        },
      },
    },
    {
      name: 'one fragment at all fields',
      query:
        'query ($no: Boolean = false) { fields { owner { ...P } reaper { ...P } guests { ...P @include(if: $no) id } } } fragment P on Person { name old }',
      data: {
        fields: [
          {
            owner: { name: 'Boaz', old: true },
            reaper: { name: 'Ruth', old: false },
            guests: [{ id: 'p1' }, { id: 'p1' }, { id: 'p2' }],
          },
          { owner: null, reaper: { name: 'Ruth', old: false }, guests: [{ id: 'p1' }, { id: 'p1' }, { id: 'p2' }] },
        ],
      },
    },
    {
      name: 'fields of one entity that merge in one selection',
      query:
        '{ field { owner { name } owner { old boss { name } } ... on Field { owner { age boss { age } } reaper { boss { id } } } reaper { boss { name } } } }',
      data: {
        field: {
          owner: { name: 'Boaz', old: true, boss: null, age: 50 },
          reaper: { boss: { id: 'p2', name: 'Boaz' } },
        },
      },
    },
  ],
};
