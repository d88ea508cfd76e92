/**
 * A reference of a reference work that names no verse of the standard numbering, or is not
 * understood.
 */
export interface UnresolvedReference {
  /** The place of the reference: the verse of a note ("GEN 1:1"), or the topic's name. */
  readonly place: string;
  /** The reference as the module has it. */
  readonly reference: string;
}
