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
      'Our gateway renames such aliases before planning, but only if they have the name of a key of an object type.',
    legs: ['apollo', 'standard', 'auto'],
    cases: [
      'aliases: both keys and both required fields change places',
      'custom-scalars: objects as required fields, with aliases in exchange',
      'entity-interfaces: lists with null of an interface, with aliases of both keys',
      'mashed-keys: aliases with the names of fields in a key',
      'null-propagation: a null in a field that requires a field of another subgraph',
      'requires: a chain with aliases that equal all required fields',
      'requires: a field of an interface whose types have different requirements',
      'requires: an alias that equals a field in a required list',
      'requires: required fields of the types of an interface, with aliases in fragments',
    ],
  },
  {
    reason: '@apollo/gateway uses the arguments of the client, or of one requirement, for all requirements of a field.',
    legs: ['apollo', 'standard', 'auto'],
    cases: [
      'requires: a required argument beside another argument of the client',
      'requires: a required argument beside the default argument of the client',
      'requires: two requirements of one field with different arguments',
    ],
  },
  {
    reason: '@apollo/gateway sends null in place of each list in a required list of lists.',
    legs: ['apollo', 'standard', 'auto'],
    cases: ['nested-lists: a required list of lists', 'nested-lists: a required list of lists, with an alias in it'],
  },
  {
    reason: '@apollo/gateway adds no error if a field must not be null and its entity does not exist.',
    legs: ['apollo', 'standard', 'auto'],
    cases: [
      'null-propagation: in nested lists',
      'null-propagation: up to a list whose items must not be null, beside fields that stay',
      'null-propagation: up to the next object of a list that may be null',
    ],
  },
  {
    reason: '@apollo/gateway treats each label of @override as turned off, percent(100) too.',
    legs: ['apollo', 'standard', 'auto'],
    cases: ['progressive-overrides: a label that is not turned on', 'progressive-overrides: all has moved'],
  },
  {
    reason:
      'An operation of one subgraph is sent as the client wrote it, and the response is not compared with the API schema.',
    legs: ['auto'],
    cases: [
      'abstract-members: a named fragment on a type that the subgraph does not know',
      'abstract-members: the same fragment, in an operation of one subgraph',
      'abstract-members: the same fragment, in an operation of the other subgraph, with an alias',
      'inaccessible: an object of an inaccessible member of a union',
      'inaccessible: objects of an inaccessible type that implements an interface',
      'narrow-enums: a value outside the API schema is null with an error',
      'narrow-enums: the same in an operation of one subgraph, with an alias',
      'narrow-enums: values outside the API schema in lists',
    ],
  },
];

export const isKnownFailure = (leg: Leg, name: string): boolean =>
  knownFailures.some(({ legs, cases }) => legs.includes(leg) && cases.includes(name));

/**
 * The seeds of random queries to which the gateway with EXECUTION_STRATEGY=auto gives a wrong response, for the reasons
 * above. A change of the generator or of a supergraph changes the queries: then replace the seeds by those that the test
 * prints.
 */
export const knownSeeds: Readonly<Record<string, readonly number[]>> = {
  'abstract-members': [
    4, 8, 9, 27, 33, 41, 46, 49, 52, 66, 71, 81, 85, 94, 104, 119, 142, 145, 150, 154, 161, 192, 198,
  ],
  aliases: [8, 36, 140, 152, 180],
  conditions: [4, 61, 70],
  'custom-scalars': [69, 134],
  'entity-errors': [22, 67, 92, 127],
  'entity-interfaces': [
    5, 12, 13, 17, 23, 30, 36, 39, 49, 54, 66, 70, 79, 125, 127, 134, 142, 158, 159, 160, 168, 174, 195, 196,
  ],
  inaccessible: [
    2, 5, 6, 17, 18, 22, 24, 28, 29, 31, 32, 34, 37, 38, 40, 41, 43, 48, 49, 51, 56, 61, 64, 65, 69, 70, 72, 73, 75, 76,
    80, 81, 84, 92, 93, 94, 97, 98, 99, 101, 105, 106, 107, 110, 111, 112, 113, 117, 118, 119, 120, 124, 131, 132, 133,
    135, 142, 145, 151, 158, 161, 169, 173, 175, 180, 181, 183, 186, 189, 190, 191, 192, 194, 195, 196,
  ],
  'interface-objects': [
    3, 6, 11, 16, 18, 22, 23, 32, 36, 37, 38, 48, 50, 53, 55, 57, 62, 64, 66, 71, 73, 75, 78, 85, 90, 97, 107, 108, 110,
    114, 115, 117, 122, 124, 126, 128, 134, 142, 148, 150, 160, 161, 162, 163, 167, 169, 175, 182, 183, 185, 188, 192,
  ],
  'narrow-enums': [
    1, 4, 5, 6, 7, 9, 10, 14, 17, 18, 19, 23, 24, 26, 28, 31, 32, 33, 34, 38, 43, 49, 50, 51, 52, 53, 59, 60, 62, 63,
    64, 65, 69, 73, 80, 83, 85, 87, 88, 89, 91, 92, 103, 104, 105, 107, 113, 115, 125, 127, 132, 133, 134, 136, 138,
    139, 145, 148, 149, 153, 155, 156, 157, 159, 161, 162, 164, 166, 168, 169, 171, 172, 173, 174, 176, 177, 185, 186,
    187, 190, 191, 195, 197, 198, 200,
  ],
  'nested-lists': [
    1, 5, 16, 20, 23, 27, 28, 29, 38, 45, 52, 53, 54, 59, 62, 64, 65, 66, 69, 71, 73, 75, 84, 89, 97, 100, 103, 106,
    108, 112, 113, 115, 116, 117, 119, 124, 126, 127, 129, 130, 132, 134, 135, 138, 140, 150, 152, 153, 159, 170, 173,
    177, 179, 180, 183, 185, 187, 199,
  ],
  'null-propagation': [104, 136],
  overrides: [32],
  'progressive-overrides': [
    5, 6, 8, 12, 22, 23, 24, 25, 27, 29, 30, 32, 35, 42, 45, 48, 52, 54, 57, 58, 59, 61, 63, 64, 66, 67, 69, 72, 73, 78,
    79, 89, 97, 98, 100, 108, 110, 112, 115, 117, 118, 124, 125, 126, 127, 132, 134, 135, 136, 138, 139, 142, 150, 153,
    158, 159, 160, 161, 163, 167, 168, 170, 174, 175, 192, 194, 195, 198,
  ],
  provides: [3, 4, 15, 47, 85, 142, 163],
  'repeated-entities': [84, 111, 167],
  requires: [11, 12, 16, 38, 56, 74, 84, 99, 126, 129, 135, 136, 150, 154, 161, 163, 193],
};
