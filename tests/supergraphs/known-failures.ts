import type { Leg } from './legs';

interface KnownFailure {
  /** Why the responses are wrong. */
  reason: string;
  legs: readonly Leg[];
  /** The supergraph and the case, with ": " between them. */
  cases: readonly string[];
}

/** The cases to which a leg gives a wrong response. */
export const knownFailures: readonly KnownFailure[] = [
  {
    reason:
      '@apollo/gateway sends the value of an alias to a subgraph if the alias has the name of a key or of a required field.',
    legs: ['apollo'],
    cases: [
      'aliases: __typename as an alias, and aliases of __typename',
      'aliases: an object with the name of a key, and keys in it',
      'aliases: one alias with two meanings for the members of a union',
      'inaccessible: aliases with the names of the inaccessible key and of the inaccessible required field',
      'interface-objects: fields of the interface on a concrete type, with aliases of the key and of the required field',
      'mashed-keys: a required field of the entity in a key',
      'mashed-keys: aliases with the names of all keys',
      'ordered-mutations: an alias with the name of the key, and fields in fragments with conditions',
      'provides: an object: provided fields beside fields that are not provided',
    ],
  },
  {
    reason:
      '@apollo/gateway sends the value of an alias to a subgraph if the alias has the name of a field in a key or in a required field.',
    legs: ['apollo'],
    cases: [
      'aliases: both keys and both required fields change places',
      'custom-scalars: objects as required fields, with aliases in exchange',
      'entity-interfaces: lists with null of an interface, with aliases of both keys',
      'mashed-keys: aliases with the names of fields in a key',
      'requires: a chain with aliases that equal all required fields',
      'requires: a field of an interface whose types have different requirements',
      'requires: an alias that equals a field in a required list',
      'requires: required fields of the types of an interface, with aliases in fragments',
    ],
  },
  {
    reason: '@apollo/gateway adds no error if a field must not be null and the field that it requires is null.',
    legs: ['apollo', 'standard'],
    cases: ['null-propagation: a null in a field that requires a field of another subgraph'],
  },
  {
    reason: '@apollo/gateway uses the arguments of the client, or of one requirement, for all requirements of a field.',
    legs: ['apollo'],
    cases: [
      'requires: a required argument beside another argument of the client',
      'requires: a required argument beside the default argument of the client',
    ],
  },
  {
    reason: '@apollo/gateway uses the arguments of the client, or of one requirement, for all requirements of a field.',
    legs: ['apollo'],
    cases: ['requires: two requirements of one field with different arguments'],
  },
  {
    reason: 'Our gateway rejects what @apollo/gateway would answer with the arguments of one of two requirements.',
    legs: ['standard'],
    cases: ['requires: two requirements of one field with different arguments'],
  },
  {
    reason: '@apollo/gateway sends null in place of each list in a required list of lists.',
    legs: ['apollo', 'standard'],
    cases: ['nested-lists: a required list of lists', 'nested-lists: a required list of lists, with an alias in it'],
  },
  {
    reason: '@apollo/gateway adds no error if a field must not be null and its entity does not exist.',
    legs: ['apollo', 'standard'],
    cases: [
      'null-propagation: in nested lists',
      'null-propagation: up to a list whose items must not be null, beside fields that stay',
      'null-propagation: up to the next object of a list that may be null',
    ],
  },
  {
    reason: '@apollo/gateway treats each label of @override as turned off, percent(100) too.',
    legs: ['apollo', 'standard'],
    cases: ['progressive-overrides: a label that is not turned on', 'progressive-overrides: all has moved'],
  },
];

export const isKnownFailure = (leg: Leg, name: string): boolean =>
  knownFailures.some(({ legs, cases }) => legs.includes(leg) && cases.includes(name));

/**
 * The seeds of random queries to which the gateway with EXECUTION_STRATEGY=auto gives no right response. The planner has
 * no plan or a wrong one for them. A change of the generator or of a supergraph changes the queries: then replace the
 * seeds by those that the test prints.
 */
export const knownSeeds: Readonly<Record<string, readonly number[]>> = {
  'entity-interfaces': [12, 13, 17, 23, 49, 54, 70, 95, 127, 134, 159],
  'interface-objects': [53, 97, 115, 161],
  requires: [12, 56, 136, 161],
};

/** Those of `knownSeeds` whose response has no error: @apollo/gateway makes an object of a list null. */
export const silentSeeds: Readonly<Record<string, readonly number[]>> = { 'entity-interfaces': [54] };
