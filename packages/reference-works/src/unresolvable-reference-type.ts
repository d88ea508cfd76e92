/**
 * A reference of a reference work that names no verse of the standard numbering, or is not
 * understood; or a link of a topic for which no topic was found.
 */
export interface UnresolvedReference {
  /** The place of the reference: the verse of a note ("GEN 1:1"), or the name of a topic. */
  readonly place: string;
  /** The reference as it was read, such as "Exod.3.29" or "EXO 3:29", or the words of the link. */
  readonly reference: string;
}
