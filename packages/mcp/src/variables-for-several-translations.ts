/** The maximum number of translations in an operation that reads several translations. */
export const maxTranslations = 5;

/**
 * Returns the variables of an operation that reads one to five translations. A GraphQL document has
 * a fixed number of aliases, so each translation from the second on has a variable that includes
 * it.
 */
export function optionalTranslations([first = '', second, third, fourth, fifth]: readonly string[]) {
  return {
    first,
    // The variable of a field that @include leaves out must still have a value, because its type is
    // non-null.
    second: second ?? first,
    hasSecond: second !== undefined,
    third: third ?? first,
    hasThird: third !== undefined,
    fourth: fourth ?? first,
    hasFourth: fourth !== undefined,
    fifth: fifth ?? first,
    hasFifth: fifth !== undefined,
  };
}
