/**
 * How a peer failed to answer.
 * - `absent`: the connection was refused, or closed before a byte of the answer. Cheap to find out, and nothing was answered.
 * - `slow`: it had not answered in time, or another was asked later and answered first.
 * - `nonsense`: it broke off, or what came is no answer of GraphQL.
 * - `unneeded`: no failure at all, it was only not waited for.
 */
export type UpstreamErrorKind = 'absent' | 'slow' | 'nonsense' | 'unneeded';

export interface UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
}

export const upstreamError = (kind: UpstreamErrorKind, message: string): UpstreamError =>
  Object.assign(new Error(message), { kind });
