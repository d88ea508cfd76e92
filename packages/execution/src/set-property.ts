/**
 * Sets a property. Clients choose the keys, and an assignment to `__proto__` would set the
 * prototype.
 */
export function setProperty(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}
